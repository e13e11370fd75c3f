package io.weir.transport.socket;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.HostConfig;
import io.weir.transport.node.PortEnd;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;

/** How a connection ended, in the exceptions that Java users know. */
final class Failures {
    private static final String MTU_TOO_SMALL = "The MTU of this transport's interface is below "
            + HostConfig.MTU_BYTES_MIN + "; raise it: ip link set ... mtu " + HostConfig.MTU_BYTES_MIN;

    private static final String ADDRESS_REMOVED = "The connection's own address was removed from the interface; "
            + "connect again from one that it has, or give the address back (ip address add)";

    private Failures() {}

    /** {@return why {@code remote} could not be connected to} */
    static IOException ofConnect(CloseReason reason, Throwable fault, InetSocketAddress remote) {
        return switch (reason) {
            case REFUSED -> new ConnectException("Connection refused: " + remote);
            case UNREACHABLE ->
                new NoRouteToHostException("No route to host: " + remote
                        + ", says the network; is the host up, and does a firewall on the way reject it?");
            case BUSY ->
                new ConnectException(
                        "Connection refused: " + remote
                                + " has no room for another connection; close some, or raise its connectionsMax, peers or memoryBytesMax");
            case NO_PROTOCOL -> new ConnectException("No protocol in common with " + remote);
            case OPEN_TIMED_OUT, TIMED_OUT ->
                new ConnectException("Connection timed out: " + remote
                        + " did not answer; is a Weir transport listening there, and does the path let UDP through?");
            case ABORTED -> new SocketException("Socket closed");
            case INTERFACE_DELETED, BROKER_ENDED, MTU_TOO_SMALL, ADDRESS_REMOVED, HANDLER_FAILED, HOST_CLOSED ->
                ofUse(reason, fault);
            case RESET, FORGOTTEN, IDLE_TIMED_OUT, FINISHED ->
                new ConnectException("Connection reset by " + remote + " while opening");
        };
    }

    /** {@return why an open connection can no longer be used} */
    static IOException ofUse(CloseReason reason, Throwable fault) {
        return switch (reason) {
            case RESET, REFUSED, UNREACHABLE, BUSY, NO_PROTOCOL -> new SocketException("Connection reset");
            case TIMED_OUT, OPEN_TIMED_OUT -> new SocketException("Connection timed out: nothing came from the peer");
            case IDLE_TIMED_OUT -> new SocketException("Connection timed out: no byte moved for the idle time-out");
            case FORGOTTEN ->
                new SocketException("Connection reset: the peer does not know this connection, it may have restarted");
            case ABORTED -> new SocketException("Socket closed");
            case HANDLER_FAILED -> because("Connection aborted: its listener failed with " + fault, fault);
            case HOST_CLOSED -> new SocketException("Transport closed");
            case INTERFACE_DELETED ->
                new SocketException(PortEnd.INTERFACE_DELETED.sentenceOf("The interface of this transport"));
            case BROKER_ENDED -> new SocketException(PortEnd.BROKER_ENDED.sentenceOf("The broker of this transport"));
            case MTU_TOO_SMALL -> new SocketException(MTU_TOO_SMALL);
            case ADDRESS_REMOVED -> new SocketException(ADDRESS_REMOVED);
            case FINISHED -> new SocketException("Connection ended");
        };
    }

    /** {@return an exception with this cause} */
    static SocketException because(String message, Throwable cause) {
        SocketException failure = new SocketException(message);
        failure.initCause(cause);
        return failure;
    }
}
