package io.weir.transport.runtime;

/** Where in the kernel the XDP program runs, and with what. */
public enum XdpMode {
    /** In the driver, or where it cannot, in the generic path. */
    AUTO,
    /** In the driver, before the kernel makes a packet of the frame: the fastest. */
    NATIVE,
    /** In the driver with zero-copy or not at all; also with drivers whose zero-copy is known to do harm. */
    ZERO_COPY,
    /** In the generic path, after that: every interface can. */
    GENERIC
}
