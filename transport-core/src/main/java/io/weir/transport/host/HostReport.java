package io.weir.transport.host;

import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.protocol.CreditUse;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.telemetry.FlowField;
import io.weir.transport.telemetry.FlowTable;
import io.weir.transport.telemetry.GaugeId;
import io.weir.transport.telemetry.Gauges;
import io.weir.transport.wire.Path;

/**
 * Writes what a host and its connections are at into memory that others read, about once a second. It looks at as many
 * connections as the table has rows, however many there are. The host's thread; no allocation.
 */
public final class HostReport {
    private static final int WAY_LINK = 0;
    private static final int WAY_MEMORY = 1;
    private static final int WAY_IN_PROCESS = 2;

    private final HostStack host;
    private final ConnectionTable connections;

    /** Creates a report of a host. */
    public HostReport(HostStack host) {
        this.host = host;
        this.connections = host.connections();
    }

    /**
     * Writes what the host and its connections are at.
     *
     * @param nowNanos the time, by the host's clock
     */
    public void write(Gauges gauges, FlowTable flows, long nowNanos) {
        gauges.set(GaugeId.CONNECTIONS, connections.size());
        gauges.set(GaugeId.HALF_OPEN, host.halfOpenCount());
        if (host.bufferBudget() != null) {
            gauges.set(GaugeId.MEMORY_BYTES, host.bufferBudget().bytesInUse());
            gauges.set(GaugeId.MEMORY_BYTES_MAX, host.bufferBudget().bytesMax());
        }
        flows.begin();
        int shown = 0;
        for (int row = 0; row < flows.rowCount(); row++) {
            Connection connection = row < connections.idCount() ? connections.byId(row) : null;
            if (connection == null) {
                flows.clear(row);
            } else {
                writeRow(flows, row, connection, nowNanos);
                shown++;
            }
        }
        flows.end(connections.size() - shown, nowNanos);
    }

    private void writeRow(FlowTable flows, int row, Connection connection, long nowNanos) {
        writeMovement(flows, row, connection, nowNanos);
        Path path = connection.path();
        flows.set(row, FlowField.IP_VERSION, path.local().isV6() ? 6 : 4);
        flows.set(row, FlowField.LOCAL_HIGH, path.local().high());
        flows.set(row, FlowField.LOCAL_LOW, path.local().low());
        flows.set(row, FlowField.REMOTE_HIGH, path.remote().high());
        flows.set(row, FlowField.REMOTE_LOW, path.remote().low());
        flows.set(row, FlowField.LOCAL_PORT, path.localPort());
        flows.set(row, FlowField.REMOTE_PORT, path.remotePort());
        flows.set(row, FlowField.STATE, connection.state().ordinal());
        ProtocolId protocol = connection.protocol();
        flows.set(row, FlowField.PROTOCOL, protocol == null ? 0 : protocol.code());
        flows.set(row, FlowField.WAY, wayOf(path));
        flows.set(row, FlowField.RTT_NANOS, connection.smoothedRttNanos());
        flows.set(row, FlowField.RTT_VARIATION_NANOS, connection.rttVariationNanos());
        flows.set(row, FlowField.PEER_WINDOW_BYTES, connection.peerWindowBytes());
        flows.set(row, FlowField.CONGESTION_WINDOW_BYTES, connection.congestionWindowBytes());
        flows.set(row, FlowField.IN_FLIGHT_BYTES, connection.inFlightBytes());
        StreamSender sender = connection.sender();
        flows.set(row, FlowField.BACKLOG_BYTES, sender == null ? 0 : sender.backlogBytes());
        flows.set(row, FlowField.FRAMES_RETRANSMITTED, connection.retransmittedFrames());
        flows.set(row, FlowField.BYTES_RETRANSMITTED, connection.retransmittedBytes());
        writeCredits(flows, row, connection);
    }

    private int wayOf(Path path) {
        if (path.isInProcess()) {
            return WAY_IN_PROCESS;
        }
        return host.config().isInMemory(path) ? WAY_MEMORY : WAY_LINK;
    }

    /** Writes how much has moved, and how fast since the report before, or since the opening if that came later. */
    private static void writeMovement(FlowTable flows, int row, Connection connection, long nowNanos) {
        Path path = connection.path();
        long sentBytes = connection.acknowledgedBytes();
        long receivedBytes =
                connection.receiver() == null ? 0 : connection.receiver().ackOffset();
        long beforeSent = flows.get(row, FlowField.SENT_BYTES);
        long beforeReceived = flows.get(row, FlowField.RECEIVED_BYTES);
        boolean isSame = flows.get(row, FlowField.IP_VERSION) != FlowTable.UNUSED
                && flows.get(row, FlowField.LOCAL_PORT) == path.localPort()
                && flows.get(row, FlowField.REMOTE_PORT) == path.remotePort()
                && flows.get(row, FlowField.REMOTE_LOW) == path.remote().low()
                && beforeSent <= sentBytes
                && beforeReceived <= receivedBytes;
        long passedNanos = nowNanos - flows.reportedNanos();
        boolean hasMoved = beforeSent != sentBytes || beforeReceived != receivedBytes;
        long idleNanos = isSame && !hasMoved ? flows.get(row, FlowField.IDLE_NANOS) + passedNanos : 0;
        flows.set(row, FlowField.IDLE_NANOS, idleNanos);
        // What is not in the row yet was opened since the report before, and all of it has moved since then.
        long newSent = isSame ? sentBytes - beforeSent : sentBytes;
        long newReceived = isSame ? receivedBytes - beforeReceived : receivedBytes;
        flows.set(row, FlowField.SEND_RATE_BPS, rateBps(newSent, passedNanos));
        flows.set(row, FlowField.RECEIVE_RATE_BPS, rateBps(newReceived, passedNanos));
        flows.set(row, FlowField.SENT_BYTES, sentBytes);
        flows.set(row, FlowField.RECEIVED_BYTES, receivedBytes);
        flows.set(row, FlowField.UNREAD_BYTES, connection.receiveBuffer().readableBytes());
    }

    /** Microseconds, so that the product of a second at any rate fits. */
    private static long rateBps(long bytes, long nanos) {
        long micros = nanos / 1_000;
        return micros <= 0 ? 0 : bytes * Byte.SIZE * 1_000_000 / micros;
    }

    private static void writeCredits(FlowTable flows, int row, Connection connection) {
        CreditLedger made = connection.creditLedger();
        flows.set(row, FlowField.CREDITS_SENT, made == null ? 0 : made.sent());
        flows.set(row, FlowField.CREDITS_USED, made == null ? 0 : made.used());
        flows.set(row, FlowField.CREDITS_LOST, made == null ? 0 : made.lost());
        flows.set(row, FlowField.CREDITS_WASTED, made == null ? 0 : made.wasted());
        flows.set(row, FlowField.CREDITS_EXPIRED, made == null ? 0 : made.expired());
        CreditUse use = connection.creditUse();
        flows.set(row, FlowField.CREDITS_RECEIVED, use == null ? 0 : use.received());
    }
}
