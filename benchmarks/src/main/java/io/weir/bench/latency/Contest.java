package io.weir.bench.latency;

import io.weir.transport.runtime.IdleMode;
import java.util.Locale;

/** Which of the kernel's ways to exchange messages is measured next to which of Weir's. */
enum Contest {
    /** Both never sleep: one thread a side, each with a separate core. */
    SPIN,
    /** Both as they come: blocking sockets, used from one application thread a side. */
    DEFAULT,
    /** The kernel's blocking sockets next to Weir's handlers, which run on the loop's own thread. */
    HANDLERS,
    /** Blocking sockets next to blocking sockets whose loop runs on the application's thread. */
    INVOKER;

    Contender kernel() {
        return new KernelUdpContender(this == SPIN);
    }

    Contender weir() {
        return switch (this) {
            case SPIN -> new WeirHandlers(IdleMode.BUSY_SPIN);
            case DEFAULT -> new WeirSockets(IdleMode.BACK_OFF);
            case HANDLERS -> new WeirHandlers(IdleMode.BACK_OFF);
            case INVOKER -> new WeirSockets(IdleMode.INVOKER);
        };
    }

    /** {@return whether each side is pinned to a core, and a run in which it lost that core is worth little} */
    boolean needsCores() {
        return this == SPIN;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
