package io.weir.transport.runtime;

import java.net.InetAddress;
import java.util.List;

/** Hears how an interface changes while it is open. Called by a thread of the interface's, never by the loop's. */
public interface InterfaceListener {
    /** These addresses are ours from now on, and no others. */
    void onAddresses(List<InetAddress> addresses);
}
