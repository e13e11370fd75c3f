package io.weir.nic.xdp;

/** Who is to stamp the frames of a port with times. */
public enum StampMode {
    /** The device where it does, the event loop otherwise. The port says which, and why. */
    AUTO,
    /** The event loop, whatever the device offers. */
    SOFTWARE,
    /** The device; the port does not open where its driver offers no stamps at all. */
    HARDWARE
}
