package io.weir.netty;

import io.netty.channel.ConnectTimeoutException;
import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;

/** How a connection ended, in the exceptions that Netty's users know. */
final class CloseCauses {
    private CloseCauses() {}

    /** {@return why {@code remote} could not be connected to} */
    static IOException ofConnect(Connection connection, CloseReason reason, InetSocketAddress remote) {
        return switch (reason) {
            case OPEN_TIMED_OUT, TIMED_OUT ->
                new ConnectTimeoutException("connection timed out: " + remote
                        + " did not answer; is a Weir transport listening there, and does the path let UDP through?");
            case REFUSED -> new ConnectException("Connection refused: " + remote);
            case BUSY -> new ConnectException("Connection refused: " + remote + " has no room for another connection");
            case UNREACHABLE -> new NoRouteToHostException("No route to host: " + remote);
            case NO_PROTOCOL -> new ConnectException("no protocol in common with " + remote);
            default -> ofUse(connection, reason);
        };
    }

    /** {@return why an open connection can no longer be used} */
    static IOException ofUse(Connection connection, CloseReason reason) {
        SocketException end =
                switch (reason) {
                    case TIMED_OUT, OPEN_TIMED_OUT ->
                        new SocketException("Connection timed out: nothing came from the peer");
                    case IDLE_TIMED_OUT ->
                        new SocketException("Connection timed out: no byte moved for the idle time-out");
                    case HANDLER_FAILED -> new SocketException("Connection aborted: its channel failed");
                    case HOST_CLOSED -> new SocketException("Connection closed: the transport has ended");
                    case INTERFACE_DELETED, BROKER_ENDED, MTU_TOO_SMALL ->
                        new SocketException("Connection closed: " + reason.phrase());
                    case ADDRESS_REMOVED ->
                        new SocketException("Connection closed: its own address was removed from the interface");
                    case FORGOTTEN -> new SocketException("Connection reset: the peer does not know this connection");
                    default -> new SocketException("Connection reset by peer");
                };
        end.initCause(connection.fault());
        return end;
    }
}
