package io.weir.cli.lab;

import io.weir.cli.scenario.KernelTcp;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.net.TcpSender;
import io.weir.transport.scenario.workload.FlowPlan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A flow of the kernel's TCP between two namespaces: a socket and a thread at each end. The threads wait from the
 * beginning, so that none is made, nor inherits the loop's scheduling, while the loop runs.
 */
final class TcpFlow implements AutoCloseable {
    private static final int CHUNK_BYTES = 1 << 16;
    private static final long JOIN_MILLIS_MAX = 2_000;
    private static final long NOT_YET = -1;

    private final FlowPlan plan;
    private final NetNamespace from;
    private final ServerSocketChannel listener;
    private final CountDownLatch started = new CountDownLatch(1);
    private final AtomicLong receivedBytes = new AtomicLong();
    private final AtomicLong completedWallNanos = new AtomicLong(NOT_YET);
    private final Thread sender;
    private final Thread receiver;
    private volatile boolean isEnding;
    private volatile String failure;

    /** Prepares a flow: its receiver listens, and nothing is sent before {@link #start}. */
    TcpFlow(FlowPlan plan, NetNamespace from, NetNamespace to, InetAddress address) throws IOException {
        this.plan = plan;
        this.from = from;
        this.listener = to.call(() -> ServerSocketChannel.open().bind(new InetSocketAddress(address, 0)));
        this.sender = thread("sender", this::send);
        this.receiver = thread("receiver", this::receive);
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private Thread thread(String name, Work work) {
        Thread thread = new Thread(() -> run(work), "tcp-" + plan.id() + "-" + name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void run(Work work) {
        try {
            work.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            if (!isEnding) {
                failure = e.toString();
            }
        }
    }

    private void send() throws IOException, InterruptedException {
        started.await();
        if (isEnding) {
            return;
        }
        InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
        String congestionControl = ((KernelTcp) plan.protocol()).congestionControl();
        try (TcpSender socket = from.call(() -> TcpSender.open(address.getAddress(), congestionControl))) {
            boolean isConnected = false;
            while (!isConnected && !isEnding) {
                isConnected = socket.connect(address);
            }
            UnsafeBuffer chunk = new UnsafeBuffer(ByteBuffer.allocateDirect(CHUNK_BYTES));
            long leftBytes = plan.bytes();
            while (leftBytes > 0 && !isEnding) {
                leftBytes -= socket.send(chunk, (int) Math.min(CHUNK_BYTES, leftBytes));
            }
        }
    }

    private void receive() throws IOException {
        try (SocketChannel incoming = listener.accept()) {
            ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
            for (int read = 0; read >= 0; read = incoming.read(chunk.clear())) {
                if (receivedBytes.addAndGet(read) == plan.bytes()) {
                    completedWallNanos.set(System.nanoTime());
                }
            }
        }
    }

    /** Lets the flow begin. Cheap: the loop's thread may call. */
    void start() {
        started.countDown();
    }

    /** {@return its plan} */
    FlowPlan plan() {
        return plan;
    }

    /** {@return bytes that have arrived} */
    long receivedBytes() {
        return receivedBytes.get();
    }

    /** {@return whether all its bytes have arrived} */
    boolean isComplete() {
        return completedWallNanos.get() != NOT_YET;
    }

    /** {@return by the clock of {@link System#nanoTime} when they had; only of a complete flow} */
    long completedWallNanos() {
        return completedWallNanos.get();
    }

    /** {@return why it failed, or null} */
    String failure() {
        return failure;
    }

    /** Sends no more. Cheap: the loop's thread may call. */
    void stop() {
        isEnding = true;
        started.countDown();
    }

    /**
     * Ends both threads: the sender looks at its flag every 100 ms, the receiver's socket is closed by its
     * interruption.
     */
    @Override
    public void close() {
        stop();
        try {
            sender.interrupt();
            receiver.interrupt();
            sender.join(JOIN_MILLIS_MAX);
            receiver.join(JOIN_MILLIS_MAX);
            listener.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            failure = "closing: " + e;
        }
    }
}
