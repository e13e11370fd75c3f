package io.weir.bench.sim.canary;

import io.netty.channel.Channel;
import io.weir.bench.path.PathStages;
import io.weir.bench.sim.canary.loop.BenchmarkRuleLoop;
import org.openjdk.jmh.infra.Blackhole;

/** Breaks every rule of {@code LayersTest}: the canary whose survival would show that a rule checks nothing. */
public final class BenchmarkRuleBreaker {
    private BenchmarkRuleBreaker() {}

    /** Never called. */
    public static void breakAll(Blackhole hole, Channel channel) {
        hole.consume(PathStages.class.getName() + channel.id());
        BenchmarkRuleLoop.back(hole, channel);
    }
}
