package io.weir.nic.xdp;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Waits for a link that went when a program was attached: many drivers reset their device for it, and then both ends
 * agree on a rate again. Who connected at once would be told that the peer answers no ARP.
 */
final class LinkReturn {
    /** 1000BASE-T takes 2 to 4 s to agree, 10GBASE-T up to 7. */
    static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final double NANOS_PER_SECOND = 1e9;

    private final LongSupplier clock;
    private final LongConsumer pause;

    /** What asks the kernel. */
    @FunctionalInterface
    interface Carrier<E extends Exception> {
        /** {@return whether the link has a partner now} */
        boolean isThere() throws E;
    }

    LinkReturn() {
        this(System::nanoTime, LockSupport::parkNanos);
    }

    /** By another clock, which {@code pause} lets pass. */
    LinkReturn(LongSupplier clock, LongConsumer pause) {
        this.clock = clock;
        this.pause = pause;
    }

    /** {@return what the port's description says of it: nothing where the link stayed} */
    <E extends Exception> String await(Carrier<E> carrier) throws E {
        long startNanos = clock.getAsLong();
        boolean isThere = carrier.isThere();
        if (isThere) {
            return "";
        }
        long waitedNanos = 0;
        while (!isThere && waitedNanos < NANOS_MAX && !Thread.currentThread().isInterrupted()) {
            pause.accept(LOOK_NANOS);
            isThere = carrier.isThere();
            waitedNanos = clock.getAsLong() - startNanos;
        }
        String seconds = String.format(Locale.ROOT, "%.1f s", waitedNanos / NANOS_PER_SECOND);
        return isThere
                ? "; the link went when the program was attached, and came back after " + seconds
                : "; the link went when the program was attached, and is not back after " + seconds;
    }
}
