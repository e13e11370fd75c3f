package io.weir.papers.tfc;

import io.weir.papers.PaperRun;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.ExchangeResult;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.List;

/**
 * What remains of a run in which a host asks others for blocks.
 *
 * @param goodputBps the payload of the blocks over the time of the rounds
 * @param rounds rounds that came to their end
 * @param queueBytesMean the mean queue of the port to it
 * @param queueBytesMax the largest
 * @param dataDrops frames dropped
 */
record IncastRounds(double goodputBps, long rounds, double queueBytesMean, double queueBytesMax, long dataDrops) {
    static PaperRun<IncastRounds> run(String file, Variant variant, int senders, int rounds) {
        return variant.run(
                file,
                senders + " senders",
                IncastRounds::of,
                List.of("topology.hosts=" + (senders + 1), "traffic[block].rounds=" + rounds));
    }

    private static IncastRounds of(ScenarioResult result) {
        ExchangeResult exchange = result.exchanges().get(0);
        PortResult port = Testbed.port(result, "switch", "h1");
        return new IncastRounds(
                exchange.goodputBps(),
                exchange.rounds(),
                port.queueBytesMean(),
                port.queueBytesMax(),
                result.summary().dataDrops());
    }
}
