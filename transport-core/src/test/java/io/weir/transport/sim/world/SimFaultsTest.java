package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.Fault;
import io.weir.transport.scenario.Fault.Direction;
import io.weir.transport.scenario.Fault.Impairment;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.testing.Scenarios;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What goes wrong in a scenario, in virtual time. */
class SimFaultsTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long FOR_EVER = Long.MAX_VALUE;
    private static final Settings WEIR = ExpressPass.weir();

    private static ScenarioResult run(Scenarios scenario, long nanos) {
        return Simulation.run(scenario.untilDone(nanos), () -> 0, Simulation.Progress.UNWATCHED);
    }

    private static Scenarios endless() {
        return Scenarios.dumbbell(1)
                .flows("f", WEIR, Traffic.UNLIMITED_BYTES)
                .measured(new Measurement(MILLISECOND, 0, false, false));
    }

    private static List<Double> goodputs(Scenarios scenario) {
        return Simulation.run(scenario.lasting(20 * MILLISECOND), () -> 0, Simulation.Progress.UNWATCHED)
                .series()
                .totalGoodputBps();
    }

    @Test
    void badLink_thatLosesOneWay_isRepairedByTheSender() {
        Impairment loss = Impairment.NONE.withLoss(20_000);
        Scenarios scenario = Scenarios.dumbbell(1).flows("f", WEIR, 5_000_000);
        ScenarioResult there = run(
                scenario.but(new Fault.BadLink("left", "right", Direction.LEFT_TO_RIGHT, 0, FOR_EVER, loss)),
                1_000 * MILLISECOND);
        assertEquals(5_000_000, there.flows().get(0).bytes());
        long resentBytes = there.flows().get(0).retransmittedBytes();
        assertTrue(resentBytes > 60_000 && resentBytes < 140_000, resentBytes + " of 5,000,000 B");
    }

    @Test
    void badLink_thatLosesTheOtherWay_costsCreditsAndNoData() {
        Impairment loss = Impairment.NONE.withLoss(20_000);
        // By its ends in the other order: it is the same link.
        ScenarioResult back = run(
                Scenarios.dumbbell(1)
                        .flows("f", WEIR, 5_000_000)
                        .but(new Fault.BadLink("right", "left", Direction.LEFT_TO_RIGHT, 0, FOR_EVER, loss)),
                1_000 * MILLISECOND);
        assertEquals(5_000_000, back.flows().get(0).bytes());
        assertEquals(0, back.flows().get(0).retransmittedBytes());
        assertTrue(back.flows().get(0).credits().lost() > 30, back.flows().toString());
    }

    @Test
    void linkDown_forAWhile_stopsAllThatCrossesIt() {
        List<Double> goodputs = goodputs(endless()
                .but(Fault.LinkDown.of("left", "right", 5 * MILLISECOND).withTime(5 * MILLISECOND, 10 * MILLISECOND)));
        assertTrue(goodputs.get(4) > 8e9, goodputs.toString());
        for (int i = 6; i < 10; i++) {
            assertEquals(0, goodputs.get(i), "interval " + i + " of " + goodputs);
        }
        assertTrue(goodputs.get(19) > 8e9, goodputs.toString());
    }

    @Test
    void hostPause_ofASender_stopsItsFlow() {
        List<Double> goodputs = goodputs(
                endless().but(Fault.HostPause.of("h1", 4 * MILLISECOND).withTime(5 * MILLISECOND, 6 * MILLISECOND)));
        assertTrue(goodputs.get(4) > 8e9, goodputs.toString());
        for (int i = 6; i < 9; i++) {
            assertEquals(0, goodputs.get(i), "interval " + i + " of " + goodputs);
        }
        assertTrue(goodputs.get(12) > 8e9, goodputs.toString());
    }

    @Test
    void faults_sameSeed_areTheSame() {
        Impairment bad = Impairment.NONE
                .withLoss(5_000)
                .withBursts(1_000, 200_000)
                .withDuplicates(5_000)
                .withReordering(5_000, 20_000)
                .withCorruption(5_000)
                .withDelayNanos(1_000);
        Scenarios scenario = Scenarios.dumbbell(2)
                .flows("f", WEIR, 1_000_000)
                .but(new Fault.BadLink("left", "right", Direction.BOTH, 0, FOR_EVER, bad))
                .but(Fault.HostPause.of("h3", 100_000).withEveryNanos(3 * MILLISECOND));
        ScenarioResult first = run(scenario, 2_000 * MILLISECOND);
        first.flows().forEach(flow -> assertEquals(1_000_000, flow.bytes()));
        assertEquals(first, run(scenario, 2_000 * MILLISECOND));
    }

    @Test
    void fault_ofWhatIsNotThere_isRefused() {
        Impairment none = Impairment.NONE;
        requireRefusal(
                "no link between 'h1' and 'right'", new Fault.BadLink("h1", "right", Direction.BOTH, 0, 1, none));
        requireRefusal("called 'x'", Fault.LinkDown.of("x", "right", 1).withTime(0, 1));
        requireRefusal("'left' is a switch", Fault.HostPause.of("left", 1).withTime(0, 1));
        requireRefusal("ends before it begins", Fault.HostPause.of("h1", 1).withTime(2, 1));
    }

    private static void requireRefusal(String expected, Fault fault) {
        ConfigException e =
                assertThrows(ConfigException.class, () -> run(endless().but(fault), MILLISECOND));
        assertTrue(e.getMessage().contains(expected), e.getMessage());
    }
}
