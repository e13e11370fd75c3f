package io.weir.nic.xdp;

/** Who is to stamp the frames of a port with times. */
public enum StampMode {
    /**
     * The device where it does, otherwise the kernel what comes, and the event loop the rest. The port says which, and
     * why.
     */
    AUTO,
    /** The event loop, whatever device and kernel offer. */
    SOFTWARE,
    /** The device; the port does not open where its driver offers no stamps at all. */
    HARDWARE
}
