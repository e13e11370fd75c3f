package io.weir.nic.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.host.HostStack;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.telemetry.CounterId;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * Bytes that go to another transport and come back. What waits for sockets has separate threads, however few cores
 * there are.
 */
public final class Exchanges implements AutoCloseable {
    private static final int BYTES = 400_000;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Something that may fail. */
    public interface Work {
        /** Does it. */
        void run() throws Exception;
    }

    /** Runs {@code work} on another thread; what it throws is the cause of the failure. */
    public CompletableFuture<Void> run(Work work) {
        return call(() -> {
            work.run();
            return null;
        });
    }

    private <T> CompletableFuture<T> call(Callable<T> work) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return work.call();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                },
                threads);
    }

    /** Opens as many connections at once, each with its own bytes, which {@code to} sends back. */
    public void many(Transport from, Transport to, InetSocketAddress address, int count) throws Exception {
        try (WeirServerSocket listener = to.listen(address.getPort())) {
            List<CompletableFuture<Void>> ends = IntStream.range(0, count)
                    .mapToObj(i -> run(() -> echo(from, address, bytes(i, BYTES))))
                    .toList();
            List<CompletableFuture<Void>> echoes = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                WeirSocket accepted = listener.accept();
                echoes.add(run(() -> {
                    try (accepted) {
                        accepted.inputStream().transferTo(accepted.outputStream());
                        accepted.shutdownOutput();
                    }
                }));
            }
            for (CompletableFuture<Void> end : echoes) {
                end.get();
            }
            for (CompletableFuture<Void> end : ends) {
                end.get();
            }
        }
    }

    /** Sends bytes to an end that sends them back, and checks what comes. */
    public void echo(Transport from, InetSocketAddress address, byte[] sent) throws Exception {
        try (WeirSocket socket = from.connect(address, Deadline.HANG_GUARD)) {
            CompletableFuture<byte[]> received = call(() -> socket.inputStream().readAllBytes());
            socket.write(ByteBuffer.wrap(sent));
            socket.shutdownOutput();
            assertArrayEquals(sent, received.get());
        }
    }

    /** {@return bytes that the seed determines} */
    public static byte[] bytes(int seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /**
     * Each loop of the transport has carried its part, and none had frames of another's connections. A frame that was
     * on its way, or repeated, when its connection ended, finds no connection: a loop that had it remembers that it has
     * ended, and any other would answer that it does not know it.
     */
    public static void assertLoopsCarried(Transport transport) {
        for (HostStack stack : transport.hostStacks()) {
            assertTrue(stack.counters().get(CounterId.DATA_FRAMES_RECEIVED) > 100, "a loop that carried nothing");
        }
        assertEquals(0, transport.counters().get(CounterId.RESETS_UNKNOWN_SENT));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
