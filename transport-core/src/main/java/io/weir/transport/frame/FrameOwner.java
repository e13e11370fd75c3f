package io.weir.transport.frame;

/** Who has a frame. Each frame is counted under exactly one of these, so their counts add up to the pool's size. */
public enum FrameOwner {
    /** In the pool, ready to be allocated. */
    FREE,
    /** With a Node: being handled, queued, or delayed. */
    HELD,
    /** Given to a port to receive into, and not come back yet. */
    FILL,
    /** Given to a port to transmit, and not come back yet. */
    TRANSMIT;

    private static final FrameOwner[] VALUES = values();

    /** {@return the owner with this ordinal} */
    static FrameOwner of(int ordinal) {
        return VALUES[ordinal];
    }
}
