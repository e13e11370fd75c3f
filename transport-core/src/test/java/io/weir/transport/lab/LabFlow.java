package io.weir.transport.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.testing.StreamProbe;
import java.util.ArrayList;
import java.util.List;

/** A connection of the laboratory: its two applications, and what is true of them whatever the network does. */
final class LabFlow {
    private final int index;
    private final ScheduledFlow plan;
    private final boolean mayStarve;
    private final boolean mayBeMisled;
    private final StreamProbe client;
    /** More than one if the listening host crashed while the connection opened. */
    private final List<StreamProbe> servers = new ArrayList<>(1);

    private StreamProbe server;
    /** Somebody crashed or gave up: what was sent need not arrive. */
    private boolean isBroken;

    /**
     * Creates a flow.
     *
     * @param mayStarve whether it may find the listener's backlog full for as long as an opening takes to time out
     * @param mayBeMisled whether frames of its handshake may be damaged
     */
    LabFlow(int index, ScheduledFlow plan, boolean mayStarve, boolean mayBeMisled) {
        this.mayBeMisled = mayBeMisled;
        this.index = index;
        this.mayStarve = mayStarve;
        this.plan = plan;
        this.client = new StreamProbe(2L * index + 1, plan.upBytes(), 2L * index + 2);
        if (plan.turnBytes() > 0) {
            client.converse(plan.turnBytes());
        }
    }

    ScheduledFlow plan() {
        return plan;
    }

    StreamProbe client() {
        return client;
    }

    /** {@return the listener's application for a connection that has come in} */
    StreamProbe newServer() {
        server = new StreamProbe(2L * index + 2, plan.downBytes(), 2L * index + 1);
        if (plan.turnBytes() > 0) {
            server.converse(0);
        }
        servers.add(server);
        return server;
    }

    /** {@return the application at {@code host}, or null while it has no connection} */
    StreamProbe at(int host) {
        return host == plan.from() ? client : server;
    }

    List<StreamProbe> servers() {
        return servers;
    }

    void setBroken() {
        isBroken |= !isOver();
    }

    boolean isBroken() {
        return isBroken;
    }

    /** {@return whether every end is closed; an opening that never came through has one end} */
    boolean isOver() {
        if (client.closeReason() == null) {
            return false;
        }
        for (int i = 0; i < servers.size(); i++) {
            if (servers.get(i).closeReason() == null) {
                return false;
            }
        }
        return true;
    }

    /** Requires that what was received is a prefix of what was sent, and that only the whole of it ends. */
    void requirePrefixes() {
        requirePrefix(client, plan.downBytes());
        for (int i = 0; i < servers.size(); i++) {
            requirePrefix(servers.get(i), plan.upBytes());
        }
    }

    private void requirePrefix(StreamProbe probe, long bytes) {
        if (probe.firstMismatch() >= 0) {
            throw new AssertionError("flow " + index + ": byte " + probe.firstMismatch() + " is wrong");
        }
        if (probe.receivedBytes() > bytes || (probe.isEnded() && probe.receivedBytes() != bytes)) {
            throw new AssertionError("flow " + index + ": " + probe.receivedBytes() + " of " + bytes + " bytes received"
                    + (probe.isEnded() ? " at the end" : ""));
        }
        Connection connection = probe.connection();
        if (connection != null) {
            long windowBytes = connection.receiveBuffer().windowBytes();
            if (windowBytes < 0 || windowBytes > connection.receiveBuffer().capacityBytes()) {
                throw new AssertionError("flow " + index + ": receive window of " + windowBytes + " B");
            }
        }
    }

    /**
     * Requires that both streams have arrived and ended.
     *
     * @return how many ends timed out although nothing was wrong with the other. If the last acknowledgement is lost
     *     for longer than the peer lingers, nobody is left to repeat it. And an opening that its initiator has given
     *     up, or an old one that came again, takes its place in a small backlog until it times out. And a frame of the
     *     handshake has a checksum only, which some damage passes: then the opener has a tag that nobody knows.
     */
    int requireEnd() {
        if (isBroken) {
            servers.forEach(probe -> requireSomeEnd(probe));
            requireSomeEnd(client);
            return 0;
        }
        if (mayStarve && servers.isEmpty() && client.closeReason() == CloseReason.OPEN_TIMED_OUT) {
            return 1;
        }
        if (mayBeMisled && servers.isEmpty() && client.closeReason() == CloseReason.TIMED_OUT) {
            return 1;
        }
        assertEquals(1, servers.size(), () -> "listener's ends of flow " + index);
        assertEquals(plan.upBytes(), server.receivedBytes(), () -> "bytes up of flow " + index);
        assertEquals(plan.downBytes(), client.receivedBytes(), () -> "bytes down of flow " + index);
        return requireEnd(client, server, "client") + requireEnd(server, client, "server");
    }

    private int requireEnd(StreamProbe probe, StreamProbe peer, String name) {
        assertTrue(probe.isEnded(), () -> name + " of flow " + index + " has not heard the end");
        if (probe.closeReason() == CloseReason.TIMED_OUT && peer.closeReason() == CloseReason.FINISHED) {
            return 1;
        }
        assertEquals(CloseReason.FINISHED, probe.closeReason(), () -> name + " of flow " + index);
        return 0;
    }

    private void requireSomeEnd(StreamProbe probe) {
        CloseReason reason = probe.closeReason();
        boolean isPossible = reason != null && reason != CloseReason.NO_PROTOCOL;
        assertTrue(isPossible, () -> "an end of broken flow " + index + " closed for the reason " + reason);
        if (reason == CloseReason.FINISHED) {
            assertTrue(probe.isEnded(), () -> "flow " + index + " finished without its end");
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("flow " + index + (isBroken ? " (broken)" : "") + " up ");
        text.append(server == null ? 0 : server.receivedBytes()).append('/').append(plan.upBytes());
        text.append(' ').append(server == null ? "never connected" : server.closeReason());
        text.append(", down ").append(client.receivedBytes()).append('/').append(plan.downBytes());
        return text.append(' ').append(client.closeReason()).toString();
    }
}
