package io.weir.cli.perf.carrier;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.socket.Transport;
import io.weir.transport.wire.IpAddress;
import java.net.InetSocketAddress;
import org.agrona.DirectBuffer;

/** A connection of Weir's. */
final class WeirLink implements Link, ConnectionHandler {
    private final Transport transport;
    private LinkHandler handler;
    /** Written once: by the thread that opens it, or by its loop's before anything else happens to it. */
    private volatile Connection connection;

    WeirLink(Transport transport, LinkHandler handler) {
        this.transport = transport;
        this.handler = handler;
    }

    /** Gives it its connection: its loop may have done so before the thread that opened it. */
    void attach(Connection opened) {
        connection = opened;
    }

    /** Says who is told; before anything happens. */
    void setHandler(LinkHandler value) {
        handler = value;
    }

    Connection connection() {
        return connection;
    }

    @Override
    public Object loop() {
        return connection.host();
    }

    @Override
    public int write(DirectBuffer buffer, int index, int length) {
        return connection.write(buffer, index, length);
    }

    @Override
    public void shutdownOutput() {
        connection.shutdownOutput();
    }

    @Override
    public void closeWithin(long nanos) {
        connection.closeWithin(nanos);
    }

    @Override
    public void abort() {
        connection.abort();
    }

    @Override
    public long writtenBytes() {
        return connection.sendBuffer().endOffset();
    }

    @Override
    public long acknowledgedBytes() {
        return connection.acknowledgedBytes();
    }

    @Override
    public LinkFigures figures() {
        long windowBytes = connection.congestionWindowBytes();
        return new LinkFigures(
                connection.smoothedRttNanos(),
                connection.rttVariationNanos(),
                windowBytes == 0 ? connection.inFlightBytes() : windowBytes,
                connection.peerWindowBytes(),
                connection.retransmittedFrames());
    }

    @Override
    public String protocol() {
        ProtocolId id = connection.protocol();
        return id == null ? null : id.name();
    }

    @Override
    public String preset() {
        ProtocolId id = connection.protocol();
        return id == null ? null : transport.parametersOf(id).preset();
    }

    @Override
    public int segmentBytes() {
        return connection.segmentBytes();
    }

    @Override
    public CreditLedger ledger() {
        return connection.creditLedger();
    }

    @Override
    public InetSocketAddress local() {
        return address(connection.path().local(), connection.path().localPort());
    }

    @Override
    public InetSocketAddress remote() {
        return address(connection.path().remote(), connection.path().remotePort());
    }

    private static InetSocketAddress address(IpAddress address, int port) {
        return new InetSocketAddress(address.toInetAddress(), port);
    }

    @Override
    public void onConnected(Connection opened) {
        connection = opened;
        handler.onConnected(this);
    }

    @Override
    public int onData(Connection from, DirectBuffer buffer, int index, int length) {
        return handler.onData(this, buffer, index, length);
    }

    @Override
    public void onEnd(Connection from) {
        handler.onEnd(this);
    }

    @Override
    public void onWritable(Connection to) {
        handler.onWritable(this);
    }

    @Override
    public void onClosed(Connection closed, CloseReason reason) {
        connection = closed;
        handler.onClosed(this, reason);
    }
}
