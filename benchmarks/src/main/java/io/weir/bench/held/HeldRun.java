package io.weir.bench.held;

import io.weir.nic.lab.TransportPair;
import io.weir.transport.host.HostStack;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;

/** Two transports on a link in memory, and connections between them that carry bytes both ways and stay open. */
final class HeldRun implements AutoCloseable {
    private static final int SERVER_PORT = 4720;
    /** Connections that carry bytes at a time. */
    private static final int ACTIVE_MAX = 16;
    /**
     * The default but for memory: one address may have half of it, and buffers stay with their connections for a
     * while.
     */
    private static final StreamLimits STREAMS = StreamLimits.GROWING.withMemoryBytesMax(1L << 30);

    private final TransportPair pair;
    private final long bytes;
    /** Of one batch: connections that are still to be opened. Any loop counts. */
    private final AtomicInteger unopened = new AtomicInteger();

    private final CompletableFuture<Void> failure = new CompletableFuture<>();
    /** Of one batch: ends that are still to receive all. */
    private volatile CountDownLatch unreceived;

    HeldRun(long bytes) throws IOException {
        this.bytes = bytes;
        TransportConfig config = TransportConfig.builder().streams(STREAMS).build();
        pair = TransportPair.inMemory(config);
        pair.server().listen(SERVER_PORT, connection -> new HeldEnd(this, false, bytes));
    }

    /** Opens so many connections more, and returns when each has carried all both ways. */
    void carry(int count) throws InterruptedException, ExecutionException {
        unreceived = new CountDownLatch(2 * count);
        unopened.set(count);
        for (int i = 0; i < Math.min(ACTIVE_MAX, count); i++) {
            open();
        }
        while (!unreceived.await(100, TimeUnit.MILLISECONDS)) {
            if (failure.isDone()) {
                failure.get();
            }
        }
    }

    private void open() {
        if (unopened.getAndDecrement() > 0) {
            try {
                pair.client().connect(pair.serverAddress(SERVER_PORT), new HeldEnd(this, true, bytes));
            } catch (IOException e) {
                fail("a connection could not be opened: " + e);
            }
        }
    }

    /** An end has received all. */
    void onReceived(boolean isClient) {
        unreceived.countDown();
        if (isClient) {
            open();
        }
    }

    void fail(String reason) {
        failure.completeExceptionally(new IllegalStateException(reason));
    }

    /** {@return the answer of both hosts' threads together} */
    long ask(ToLongFunction<HostStack> question) {
        long sum = 0;
        for (Transport transport : List.of(pair.client(), pair.server())) {
            CompletableFuture<Long> answer = new CompletableFuture<>();
            transport.execute(now -> answer.complete(question.applyAsLong(transport.hostStack())));
            sum += answer.join();
        }
        return sum;
    }

    @Override
    public void close() {
        pair.close(Duration.ZERO);
    }
}
