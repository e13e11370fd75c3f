package io.weir.papers.comparison;

import io.weir.papers.PaperRun;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A protocol, with what it asks of ports of 10 Gbps; all else is the same for all.
 *
 * @param word the preset
 * @param protocol what a scenario's protocol is set to
 * @param ports what is set of the ports
 */
record Contender(String word, String protocol, List<String> ports) {
    /** Weir's default. */
    static final Contender EXPRESSPASS = of("weir");

    /** All, the protocols of the papers first. */
    static final List<Contender> ALL = List.of(
            EXPRESSPASS,
            of("dx"),
            of("tfc", "topology.tfc={}"),
            of("ccrp", "topology.ecn={min: 5KB, max: 200KB, probability: 1%}"),
            of("naive"),
            of("newreno"),
            of("cubic"),
            of("vegas"),
            of("dctcp", "topology.ecn={threshold: 99970B}"),
            of("hull", "topology.phantom={drain: 95%, threshold: 15KB}"),
            of("dcqcn", "topology.ecn={min: 5KB, max: 200KB, probability: 10%}"),
            of("timely-patched"),
            of("rcp", "topology.rcp={}"),
            new Contender("ideal", "{id: ideal, trunk: 10Gbps}", List.of()));

    /**
     * Those that can do without knowing of narrow links inside the network, which the oracle of {@code ideal} does not.
     */
    static final List<Contender> REAL =
            ALL.stream().filter(contender -> !contender.word().equals("ideal")).toList();

    private static Contender of(String word, String... ports) {
        return new Contender(word, word, List.of(ports));
    }

    /** {@return a run of a file by this protocol} */
    <R> PaperRun<R> run(String file, List<String> more, Function<ScenarioResult, R> extract) {
        List<String> settings = new ArrayList<>();
        settings.add("protocol=" + protocol);
        settings.addAll(ports);
        settings.addAll(more);
        return new PaperRun<>(word, "comparison/" + file, settings, extract);
    }
}
