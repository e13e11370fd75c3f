package io.weir.bench.sim.canary.loop;

import io.netty.channel.Channel;
import io.weir.bench.sim.canary.BenchmarkRuleBreaker;
import org.openjdk.jmh.infra.Blackhole;

/** Closes a cycle of packages with {@link BenchmarkRuleBreaker}. */
public final class BenchmarkRuleLoop {
    private BenchmarkRuleLoop() {}

    /** Never called. */
    public static void back(Blackhole hole, Channel channel) {
        BenchmarkRuleBreaker.breakAll(hole, channel);
    }
}
