package io.weir.transport.fallback;

import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Rules for a process whose one transport, {@code m}, reaches itself by loopback addresses, where the kernel's TCP is
 * too. Head starts end when the test says so.
 */
public final class TestFallback implements AutoCloseable {
    private final List<FramePool> pools = List.of(new FramePool(4096, 2048, true), new FramePool(4096, 2048, true));

    private final Transport peer;
    private final ArrayDeque<Runnable> headStarts = new ArrayDeque<>();
    /** What it has told. */
    public final Queue<Explanation> told = new ConcurrentLinkedQueue<>();
    /** The transport that rules name {@code m}. */
    public final Transport transport;
    /** What decides. */
    public final Fallback fallback;

    /** Creates rules, of which {@code lost} is an interface that could not be opened. */
    public TestFallback(String rules) throws IOException, RuleException {
        List<NetInterface> pair = MemoryNetwork.pair(pools.get(0), pools.get(1), 1500, 10_000_000_000L);
        transport = Transport.open(pair.get(0), pools.get(0), TransportConfig.DEFAULT);
        peer = Transport.open(pair.get(1), pools.get(1), TransportConfig.DEFAULT);
        fallback = new Fallback(
                Rules.parse("test", rules),
                Map.of("m", transport),
                Map.of("lost", "lost has no AF_XDP; load it"),
                this::later,
                Duration.ofMillis(50),
                System::nanoTime);
        fallback.setListener(told::add);
    }

    private Runnable later(long nanos, Runnable work) {
        synchronized (headStarts) {
            headStarts.add(work);
        }
        return () -> {
            synchronized (headStarts) {
                headStarts.remove(work);
            }
        };
    }

    /** {@return whether there was a head start that ends now} */
    public boolean endHeadStart() {
        Runnable work;
        synchronized (headStarts) {
            work = headStarts.poll();
        }
        if (work != null) {
            work.run();
        }
        return work != null;
    }

    @Override
    public void close() {
        transport.close(Duration.ZERO);
        peer.close(Duration.ZERO);
    }
}
