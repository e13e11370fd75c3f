package io.weir.cli.fabric;

import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryLink;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.switching.SwitchPipeline;
import io.weir.transport.switching.SwitchPort;
import io.weir.transport.switching.SwitchPortConfig;
import io.weir.transport.telemetry.CounterId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Two switches, one host at each, and a trunk between them: the smallest network whose bottleneck is a switch's link in
 * both directions. The port to the trunk at the right switch meters the credits for the data that crosses it the other
 * way (ExpressPass section 3.1). One loop drives both switches.
 */
public final class DumbbellSwitches implements AutoCloseable {
    private static final int HOST_PORT = 0;
    private static final int TRUNK_PORT = 1;
    private static final long ANSWER_SECONDS_MAX = 5;

    private final SwitchPipeline left;
    private final SwitchPipeline right;
    private final QueueSampler sampler;
    private final EventLoop loop;

    /**
     * Creates the switches; they forward from {@link #start} on.
     *
     * @param leftHost the port to the left host
     * @param rightHost the port to the right host
     * @param pool what both ports' frames come from
     * @param hostPort both ports to hosts
     * @param trunkPort both ends of the trunk
     * @param waiter what wakes the loop when a frame comes
     */
    public DumbbellSwitches(
            NetPort leftHost,
            NetPort rightHost,
            FramePool pool,
            SwitchPortConfig hostPort,
            SwitchPortConfig trunkPort,
            IdleMode idleMode,
            Waiter waiter,
            long seed) {
        left = new SwitchPipeline(List.of(hostPort, trunkPort), pool, seed);
        right = new SwitchPipeline(List.of(hostPort, trunkPort), pool, seed + 1);
        sampler = new QueueSampler(left.port(TRUNK_PORT));
        MemoryLink trunk = new MemoryLink(
                MemoryLink.info("trunk-left", 0, trunkPort.mtuBytes(), trunkPort.linkRateBps()),
                pool,
                MemoryLink.info("trunk-right", 0, trunkPort.mtuBytes(), trunkPort.linkRateBps()),
                pool);
        loop = new EventLoop(
                "weir-switches",
                List.of(
                        new NodeBinding(left, List.of(leftHost, trunk.left())),
                        new NodeBinding(right, List.of(rightHost, trunk.right())),
                        new NodeBinding(sampler, List.of())),
                idleMode,
                waiter,
                this::releaseFrames);
    }

    private void releaseFrames() {
        left.close();
        right.close();
    }

    /** Begins to forward. */
    public void start() {
        watch(List.of());
        loop.start();
    }

    /** Sets which loops, besides this one's, must run for the queue's samples to mean something. */
    public void watch(Collection<CycleMonitor> hostLoops) {
        List<CycleMonitor> all = new ArrayList<>(hostLoops);
        all.add(loop.monitor());
        sampler.watch(all);
    }

    /** {@return what the data queue of the trunk, towards the right host, held since the last call} */
    public QueueStats takeQueueStats() {
        return call(sampler::take);
    }

    /** {@return data frames that the trunk's port towards the right host dropped} */
    public long dataDrops() {
        return left.port(TRUNK_PORT).counters().get(CounterId.DROP_DATA_QUEUE)
                + left.port(HOST_PORT).counters().get(CounterId.DROP_INGRESS_QUEUE);
    }

    /** {@return bytes, as they count on the wire, that left by the trunk towards the right host} */
    public long trunkWireBytes() {
        return left.port(TRUNK_PORT).counters().get(CounterId.WIRE_BYTES_SENT);
    }

    /** {@return credits that came to the trunk's meter} */
    public long creditsMetered() {
        return creditPort().counters().get(CounterId.CREDITS_RECEIVED);
    }

    /** {@return credits that the trunk's meter dropped} */
    public long creditsDropped() {
        return creditPort().counters().get(CounterId.DROP_CREDIT_QUEUE);
    }

    private SwitchPort creditPort() {
        return right.port(TRUNK_PORT);
    }

    /** {@return the loop that drives both switches} */
    public EventLoop loop() {
        return loop;
    }

    private <T> T call(Supplier<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            loop.execute(now -> answer.complete(work.get()));
            return answer.get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking the switches", e);
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            throw new IllegalStateException("the switches' loop does not answer; failure: " + loop.failure(), e);
        }
    }

    /** Ends forwarding and closes the ports. */
    @Override
    public void close() {
        loop.close();
    }
}
