package io.weir.cli.traffic;

import io.weir.nic.net.NetNamespace;
import io.weir.nic.net.TcpSender;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;

/** A flow of the kernel's TCP, which sends as fast as it may until its bytes are sent or it is stopped. */
public final class TcpFlow implements RunningTraffic<ArrivalLog> {
    private static final int CHUNK_BYTES = 1 << 16;
    private static final long NOT_YET = -1;

    private final Route route;
    private final Load load;
    private final ArrivalLog arrivals;
    private final AtomicReference<String> failure;
    private final TcpConnection ends;
    /** By {@link System#nanoTime}; written once by the receiver's thread. */
    private volatile long completedNanos = NOT_YET;

    /**
     * A way of the kernel's TCP from one host to another.
     *
     * @param from the namespace that connects
     * @param to the namespace that listens
     * @param address that of the host that listens
     */
    public record Route(NetNamespace from, NetNamespace to, InetAddress address) {}

    /**
     * What a flow sends.
     *
     * @param bytes how many, or {@link Long#MAX_VALUE} for an unlimited flow
     * @param congestionControl the kernel's name of it, or empty for the namespace's default
     */
    public record Load(long bytes, String congestionControl) {
        /** No end, by the kernel's default. */
        public static final Load UNLIMITED = new Load(Long.MAX_VALUE, "");
    }

    /**
     * Prepares a flow: its receiver listens, and nothing is sent before {@link #start}.
     *
     * @param arrivals where arrivals are noted
     * @param failure where the first failure is noted
     */
    public TcpFlow(String id, Route route, Load load, ArrivalLog arrivals, AtomicReference<String> failure)
            throws IOException {
        this.route = route;
        this.load = load;
        this.arrivals = arrivals;
        this.failure = failure;
        this.ends = new TcpConnection(id, route, failure, this::send, this::receive);
    }

    private void send(InetSocketAddress address, TcpConnection both) throws IOException {
        try (TcpSender socket =
                route.from().call(() -> TcpSender.open(address.getAddress(), load.congestionControl()))) {
            boolean isConnected = false;
            while (!isConnected && !both.isEnding()) {
                isConnected = socket.connect(address);
            }
            UnsafeBuffer chunk = new UnsafeBuffer(ByteBuffer.allocateDirect(CHUNK_BYTES));
            long leftBytes = load.bytes();
            while (leftBytes > 0 && !both.isEnding()) {
                leftBytes -= socket.send(chunk, (int) Math.min(CHUNK_BYTES, leftBytes));
            }
        }
    }

    private void receive(SocketChannel incoming, TcpConnection both) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        for (int read = incoming.read(chunk); read >= 0; read = incoming.read(chunk.clear())) {
            long nowNanos = System.nanoTime();
            if (arrivals.add(nowNanos, read) == load.bytes()) {
                completedNanos = nowNanos;
            }
        }
        if (!isComplete() && !both.isEnding()) {
            throw new EOFException("ended after " + arrivals.totalBytes() + " B");
        }
    }

    /** Lets the flow begin. Cheap: a loop's thread may call. */
    public void start() {
        ends.start();
    }

    /** Sends no more; what the kernel has taken still arrives. Cheap: a loop's thread may call. */
    public void stop() {
        ends.stop();
    }

    @Override
    public ArrivalLog figures() {
        return arrivals;
    }

    /** {@return whether all its bytes have arrived} */
    public boolean isComplete() {
        return completedNanos != NOT_YET;
    }

    /** {@return when they had, by {@link System#nanoTime}; only of a complete flow} */
    public long completedNanos() {
        return completedNanos;
    }

    /** {@return why it failed, or null} */
    public String failure() {
        return failure.get();
    }

    @Override
    public void close() {
        ends.close();
    }
}
