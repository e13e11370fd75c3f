package io.weir.transport.runtime;

import io.weir.transport.wire.IpAddress;

/** Tells whether a transport takes connections. Any thread. */
@FunctionalInterface
public interface ListenCheck {
    /** {@return whether it listens on a port at this address, or at all of its addresses} */
    boolean test(IpAddress local, int port);
}
