package io.weir.nic.host;

import io.weir.nic.NicException;
import io.weir.transport.node.NetPort;
import java.net.InetAddress;

/**
 * A port of an interface that the kernel has too: it takes the datagrams of chosen UDP ports, and is told of changes
 * of the interface. Any thread may call what is declared here.
 */
public interface KernelPort extends NetPort {
    /** Takes the datagrams for an address too, of the ports that are taken of every address. */
    void addAddress(InetAddress address) throws NicException;

    /** Leaves the datagrams for an address to the kernel again. */
    void removeAddress(InetAddress address) throws NicException;

    /** Takes the datagrams of a UDP port of one address from now on. */
    void addPort(InetAddress address, int udpPort) throws NicException;

    /** Leaves the datagrams of a UDP port of one address to the kernel again. */
    void removePort(InetAddress address, int udpPort) throws NicException;

    /** {@return whether frames come by an XDP program of this port's, which has to be on the interface} */
    default boolean needsProgram() {
        return false;
    }

    /** The kernel says that the interface is gone. */
    void setGone();

    /** There is another interface of this name now; 0 for none. */
    void setSuccessor(int index);

    /** Frames are stuck or lost for this reason until it is null again. */
    void setImpairment(String reason);

    /** Sets what runs on the port's thread when it can move no more frames for good; before it moves any. */
    void setStopListener(Runnable listener);

    /** Sets what else ends with the port; before it moves any frames. */
    void setCloseListener(Runnable listener);
}
