package io.weir.transport.runtime;

import io.weir.transport.node.NetPort;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;

/** An interface of this host, opened for a transport: its port, and what the rest of the host knows about it. */
public interface NetInterface {
    /** {@return the port, which the transport's loop owns from now on} */
    NetPort port();

    /** {@return the interface's IP addresses} */
    List<InetAddress> addresses();

    /**
     * {@return where frames from {@code localPort} to {@code remote} go} Any thread; it may wait for the neighbour's
     * answer.
     *
     * @throws IOException if there is no way there
     */
    Path resolve(int localPort, InetSocketAddress remote) throws IOException;

    /**
     * As {@link #resolve(int, InetSocketAddress)}, for a caller that has not more time.
     *
     * @param waitNanosMax how long it may wait for the neighbour's answer
     * @throws java.net.SocketTimeoutException if that is too short to tell whether there is a way
     * @throws java.net.NoRouteToHostException if there is none, or the next hop does not answer
     */
    default Path resolve(int localPort, InetSocketAddress remote, long waitNanosMax) throws IOException {
        return resolve(localPort, remote);
    }

    /**
     * {@return where frames from {@code localPort} to {@code remote} go, or null if somebody has to be asked} It never
     * waits. Any thread.
     */
    default Path knownPath(int localPort, InetSocketAddress remote) {
        return null;
    }

    /**
     * Takes the frames of a UDP port from the kernel. Any thread.
     *
     * @throws java.net.BindException if the port is in use
     */
    void claimPort(int port) throws IOException;

    /** Gives the frames of a UDP port back to the kernel. Any thread. */
    void releasePort(int port);

    /**
     * Tells of the interface's changes from now on, as far as it can change. Once, before anything is claimed.
     *
     * @throws IOException if it cannot be followed
     */
    default void follow(InterfaceListener listener) throws IOException {}

    /** Asks for the next hops to these hosts, without waiting: {@link InterfaceListener#onMacs} follows. Any thread. */
    default void findMacs(Collection<InetAddress> remotes) {}

    /**
     * Has somebody look whether the next hop to {@code remote}, which answers nothing, is still where it was. Does not
     * wait; a change is told to the listener. Any thread.
     */
    default void verify(InetAddress remote) {}

    /**
     * {@return what is equal for interfaces of one host} Their transports reach each other in memory, by their
     * addresses and by loopback addresses. An interface that says nothing is a host by itself.
     */
    default Object host() {
        return this;
    }

    /**
     * {@return whether other processes have the interface's addresses too} Then an address of this host is that of a
     * transport of this process only where it listens on the port; otherwise {@link #resolve} finds the process.
     */
    default boolean isShared() {
        return false;
    }

    /**
     * {@return the largest IP packet to other processes of this host, through memory that both share} 0 where no other
     * process is reached so.
     */
    default int memoryMtuBytes() {
        return 0;
    }

    /** {@return what the loop of this interface sleeps with} */
    Waiter newWaiter() throws IOException;
}
