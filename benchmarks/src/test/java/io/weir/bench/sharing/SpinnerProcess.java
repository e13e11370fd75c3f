package io.weir.bench.sharing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A process that takes a share of a core until it is ended: {@code SHARE}. It says {@link #SPINS} first. */
public final class SpinnerProcess {
    static final String SPINS = "SPINS";
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private SpinnerProcess() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) {
        double share = Math.min(1, Double.parseDouble(arguments[0]));
        System.out.println(SPINS);
        while (!Thread.currentThread().isInterrupted()) {
            long startNanos = System.nanoTime();
            for (long spunNanos = 0; spunNanos < share * PERIOD_NANOS; spunNanos = System.nanoTime() - startNanos) {
                Thread.onSpinWait();
            }
            if (share < 1) {
                LockSupport.parkNanos((long) ((1 - share) * PERIOD_NANOS));
            }
        }
    }
}
