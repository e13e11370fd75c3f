package io.weir.transport.socket;

import io.weir.transport.node.ForwardingPort;
import io.weir.transport.node.NetPort;

/** A port that has no room for a while at times, as one of a device that others use too. */
final class UnevenPort extends ForwardingPort {
    private static final int PERIOD_CYCLES = 1_024;
    private static final int FULL_CYCLES = 64;

    /** Cycles so far, of the period; the loop's thread alone. */
    private int cycles;

    /** Creates one that is so many cycles into its period, so that two need not be full together. */
    UnevenPort(NetPort port, int cycles) {
        super(port);
        this.cycles = cycles;
    }

    @Override
    public int transmitCapacity() {
        cycles++;
        return cycles % PERIOD_CYCLES < FULL_CYCLES ? 0 : super.transmitCapacity();
    }
}
