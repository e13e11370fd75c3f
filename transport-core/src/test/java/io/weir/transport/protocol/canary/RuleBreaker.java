package io.weir.transport.protocol.canary;

import io.weir.transport.frame.FramePool;
import io.weir.transport.host.HostStack;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.sim.Simulator;
import io.weir.transport.switching.SwitchPipeline;
import java.net.InetAddress;
import java.util.Random;

/** Breaks every rule of {@code LayersTest}: the canary whose survival would show that a rule checks nothing. */
final class RuleBreaker {
    static int mutable;

    private final EventLoop loop;
    private final HostStack host;
    private final Simulator simulator;
    private final SwitchPipeline pipeline;
    private final FramePool pool;

    RuleBreaker(EventLoop loop, HostStack host, Simulator simulator, SwitchPipeline pipeline, FramePool pool) {
        this.loop = loop;
        this.host = host;
        this.simulator = simulator;
        this.pipeline = pipeline;
        this.pool = pool;
    }

    long breakAll() {
        mutable++;
        Thread.currentThread().interrupt();
        System.out.println(pool.frameCount() + pipeline.hashCode() + simulator.nowNanos() + host.hashCode());
        loop.runOnce();
        return System.nanoTime()
                + Math.round(Math.random() * 6)
                + Math.round(Math.cbrt(6))
                + new Random(1).nextInt()
                + InetAddress.getLoopbackAddress().hashCode();
    }
}
