package io.weir.nic.lab;

/**
 * A virtual link between two namespaces: a veth pair. Its offloads are off, so that its frames are as on a wire, unless
 * {@link #withOffloads} keeps them.
 *
 * @param left one end
 * @param right the other
 * @param mtuBytes the MTU of both
 * @param queueCount how many receive and transmit queues each has
 * @param staticNeighbours whether each end is told the other's Ethernet address instead of asking for it
 * @param offloads whether segments may be longer than the MTU, and checksums be left to the other end
 */
public record LabLink(
        LabEnd left, LabEnd right, int mtuBytes, int queueCount, boolean staticNeighbours, boolean offloads) {
    private static final int MTU_BYTES = 1500;

    /** {@return a link of MTU 1500 with one queue, whose ends ask for each other's address} */
    public static LabLink between(LabEnd left, LabEnd right) {
        return new LabLink(left, right, MTU_BYTES, 1, false, false);
    }

    /** {@return this with another MTU} */
    public LabLink withMtuBytes(int bytes) {
        return new LabLink(left, right, bytes, queueCount, staticNeighbours, offloads);
    }

    /** {@return this with another number of queues} */
    public LabLink withQueues(int count) {
        return new LabLink(left, right, mtuBytes, count, staticNeighbours, offloads);
    }

    /** {@return this with each end told the other's Ethernet address} */
    public LabLink withStaticNeighbours() {
        return new LabLink(left, right, mtuBytes, queueCount, true, offloads);
    }

    /** {@return this with the offloads that the kernel gives a veth pair} */
    public LabLink withOffloads() {
        return new LabLink(left, right, mtuBytes, queueCount, staticNeighbours, true);
    }

    /** {@return this with other ends} */
    public LabLink withEnds(LabEnd newLeft, LabEnd newRight) {
        return new LabLink(newLeft, newRight, mtuBytes, queueCount, staticNeighbours, offloads);
    }
}
