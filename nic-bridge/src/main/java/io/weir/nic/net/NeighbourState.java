package io.weir.nic.net;

/** What the kernel knows of a neighbour (NUD_... of linux/neighbour.h), by its number. */
public record NeighbourState(int number) {
    /** Of a neighbour that the kernel does not know. */
    static final NeighbourState NONE = new NeighbourState(0);

    private static final int INCOMPLETE = 0x01;
    private static final int REACHABLE = 0x02;
    private static final int STALE = 0x04;
    private static final int DELAY = 0x08;
    private static final int PROBE = 0x10;
    private static final int FAILED = 0x20;
    private static final int NOARP = 0x40;
    private static final int PERMANENT = 0x80;

    /**
     * {@return whether its Ethernet address may be sent to} An incomplete or failed neighbour has none, whatever
     * address the entry still shows. A stale one is good enough, as it is for the kernel, which verifies it when it
     * sends there.
     */
    public boolean isUsable() {
        return (number & (INCOMPLETE | FAILED)) == 0
                && (number & (REACHABLE | STALE | DELAY | PROBE | NOARP | PERMANENT)) != 0;
    }

    /** {@return whether the kernel need not verify it now} */
    public boolean isSettled() {
        return (number & (REACHABLE | NOARP | PERMANENT)) != 0;
    }

    /** {@return whether the administrator has set it, so that nobody is asked} */
    public boolean isFixed() {
        return (number & (NOARP | PERMANENT)) != 0;
    }

    /** {@return whether the kernel asked and got no answer} */
    public boolean isFailed() {
        return (number & FAILED) != 0;
    }
}
