package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.Traffic.Times;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.testing.Scenarios;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests many short messages to one host: its credits may wait for its meter, but must not be lost there and repeated.
 */
class MessagesToOneHostTest {
    private static final int SENDERS = 32;
    private static final int MESSAGES = 1_024;
    private static final int MESSAGE_BYTES = 1_000;
    private static final double LOAD = 0.8;
    /** The time of one credit at the meter, and of the data that it asks for. */
    private static final double CREDIT_NANOS = (88 + 1538) * 8 / 9.9;

    private static final double DELAY_RATIO_MAX = 1.5;
    private static final double CREDITS_PER_MESSAGE_MAX = 1.1;

    private record Outcome(double creditsPerMessage, long p99Nanos) {}

    private static long spreadNanos(double load) {
        return (long) (MESSAGES * CREDIT_NANOS / load);
    }

    private static ScenarioResult simulate(double load, int burst, ProtocolConfig protocol, PortSpec port) {
        LinkTemplate link = new LinkTemplate(Scenarios.RATE_BPS, 2_000, port);
        long spreadNanos = spreadNanos(load);
        Scenarios scenarios = new Scenarios(Lines.star(SENDERS + 1, HostSpec.named(""), link))
                .with(messages("m", MESSAGES, new Times(0, 0, spreadNanos), protocol));
        if (burst > 0) {
            scenarios.with(messages("b", burst, new Times(spreadNanos / 4, 0, 0), protocol));
        }
        ScenarioResult result =
                Simulation.run(scenarios.untilDone(100_000_000), () -> 0, Simulation.Progress.UNWATCHED);
        assertEquals(List.of(), result.problems());
        return result;
    }

    private static Outcome run(int burst, ProtocolConfig protocol, PortSpec port) {
        ScenarioResult result = simulate(LOAD, burst, protocol, port);
        List<FlowResult> flows = result.flows();
        long credits = flows.stream().mapToLong(flow -> flow.credits().sent()).sum();
        long[] nanos =
                flows.stream().mapToLong(FlowResult::completionNanos).sorted().toArray();
        return new Outcome((double) credits / flows.size(), nanos[(int) (nanos.length * 0.99)]);
    }

    private static Traffic messages(String id, int count, Times start, ProtocolConfig protocol) {
        return Traffic.Flows.of(
                        id,
                        IntStream.rangeClosed(1, SENDERS).mapToObj(i -> "h" + i).toList(),
                        List.of("h" + (SENDERS + 1)),
                        protocol)
                .withCount(count)
                .withStart(start)
                .withBytes(MESSAGE_BYTES);
    }

    /** The authors' rule and meter, with alpha = wInit = 1/16. */
    private static Outcome runAuthors(int burst) {
        Settings authors =
                ExpressPass.authors().with(ExpressPass.W_INIT, 1.0 / 16).with(ExpressPass.ALPHA, 1.0 / 16);
        return run(burst, authors, Scenarios.port(CreditModel.AUTHORS));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 64})
    void run_messagesAtALoadOfEightTenths_needAboutOneCreditEachAndWaitLittle(int burst) {
        Outcome authors = runAuthors(burst);
        Outcome weir = run(burst, ExpressPass.weir(), PortSpec.DEFAULT);
        assertTrue(
                weir.creditsPerMessage() <= CREDITS_PER_MESSAGE_MAX,
                () -> weir.creditsPerMessage() + " credits per message, limit " + CREDITS_PER_MESSAGE_MAX);
        assertTrue(
                weir.p99Nanos() <= DELAY_RATIO_MAX * authors.p99Nanos(),
                () -> "p99 of " + weir.p99Nanos() + " ns, limit " + DELAY_RATIO_MAX + " x " + authors.p99Nanos());
    }

    @Test
    void run_burstOf64_messagesBehindItDoNotAllWaitForIt() {
        double load = 0.6;
        ScenarioResult result = simulate(load, 64, ExpressPass.weir(), PortSpec.DEFAULT);
        long burstNanos = spreadNanos(load) / 4;
        long[] nanos = result.flows().stream()
                .filter(flow -> flow.id().startsWith("m"))
                .filter(flow -> flow.startNanos() > burstNanos && flow.startNanos() < burstNanos + 50_000)
                .mapToLong(FlowResult::completionNanos)
                .sorted()
                .toArray();
        assertTrue(nanos.length > 10, nanos.length + " messages");
        // In the order in which they came, each would wait for 64 credits less those of the time since: 60 us and more.
        assertTrue(nanos[nanos.length / 2] < 40_000, () -> Arrays.toString(nanos));
    }
}
