package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.Fault;
import io.weir.transport.scenario.Fault.Direction;
import io.weir.transport.scenario.Fault.Impairment;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.testing.Scenarios;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests flows of the default rule over a wire that loses frames both ways: 10 Gbit/s, a round trip of 48 us. */
class WireLossTest {
    private static final long MILLISECOND = 1_000_000;

    private static double[] goodputs(int flows, int lossPpm) {
        Scenarios scenario = Scenarios.dumbbell(flows)
                .flows("f", ExpressPass.weir(), Traffic.UNLIMITED_BYTES)
                .measured(new Measurement(MILLISECOND, 0, false, false));
        if (lossPpm > 0) {
            Impairment loss = Impairment.NONE.withLoss(lossPpm);
            scenario.but(new Fault.BadLink("left", "right", Direction.BOTH, 0, Long.MAX_VALUE, loss));
        }
        ScenarioResult result =
                Simulation.run(scenario.lasting(40 * MILLISECOND), () -> 0, Simulation.Progress.UNWATCHED);
        return result.flows().stream().mapToDouble(FlowResult::bytes).toArray();
    }

    @ParameterizedTest
    @CsvSource({"5_000, 0.95", "10_000, 0.92", "20_000, 0.88", "50_000, 0.70"})
    void run_oneFlow_keepsItsGoodput(String lossPpm, double shareMin) {
        double whole = goodputs(1, 0)[0];
        double share = goodputs(1, Integer.parseInt(lossPpm.replace("_", "")))[0] / whole;
        assertTrue(share >= shareMin, () -> share + " of the goodput without loss, limit " + shareMin);
    }

    @Test
    void run_fourFlows_shareWhatTheWireLeaves() {
        double[] bytes = goodputs(4, 10_000);
        double sum = Arrays.stream(bytes).sum();
        double jain = sum * sum / (4 * Arrays.stream(bytes).map(b -> b * b).sum());
        double share = sum / Arrays.stream(goodputs(4, 0)).sum();
        assertTrue(share >= 0.95, () -> share + " of the goodput without loss");
        assertTrue(jain >= 0.98, () -> "Jain's index " + jain + " of " + Arrays.toString(bytes));
    }
}
