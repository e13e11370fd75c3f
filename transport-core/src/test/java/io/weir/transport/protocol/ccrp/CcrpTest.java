package io.weir.transport.protocol.ccrp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.protocol.peers.Dcqcn;
import io.weir.transport.protocol.peers.NewReno;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.switching.EcnConfig;
import io.weir.transport.testing.SharedLink;
import org.junit.jupiter.api.Test;

/** Tests {@link Ccrp} over a link of 10 Gbit/s whose switches mark, alone and next to DCQCN. */
class CcrpTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long MILLISECOND = 1_000_000;
    private static final ProtocolConfig CCRP = Ccrp.KIND.usual();

    private static SharedLink link() {
        CreditSettings credits = CreditSettings.DEFAULT.withModel(CreditModel.PAPER);
        PortSpec port = new PortSpec(300_000, credits, new EcnConfig(5_000, 200_000, 10_000));
        return new SharedLink(RATE_BPS, 5_000, port);
    }

    private static ScenarioResult run(ProtocolConfig first, ProtocolConfig joining) {
        return link().flow(first, Traffic.UNLIMITED_BYTES, 0, Traffic.Times.NEVER.atNanos())
                .flow(joining, Traffic.UNLIMITED_BYTES, 5 * MILLISECOND, Traffic.Times.NEVER.atNanos())
                .run(80 * MILLISECOND, 40 * MILLISECOND, 0);
    }

    private static double ratio(ScenarioResult result) {
        FlowResult first = result.flows().get(0);
        return result.flows().get(1).goodputBps() / first.goodputBps();
    }

    private static Settings omegaMax(double value) {
        return Ccrp.KIND.usual().with(Ccrp.OMEGA_MAX, value);
    }

    @Test
    void run_besideDcqcn_leavesItMoreThanTwiceWhatExpressPassDoes() {
        double ofExpressPass = ratio(run(Dcqcn.KIND.usual(), ExpressPass.weir()));
        double own = ratio(run(Dcqcn.KIND.usual(), CCRP));
        assertTrue(ofExpressPass > 4, "ExpressPass gets " + ofExpressPass + " times as much");
        assertTrue(own < ofExpressPass / 2, "CCRP gets " + own + " times as much, ExpressPass " + ofExpressPass);
    }

    @Test
    void run_besideDcqcnOfItsAuthors_sharesWithinAFifth() {
        Settings dcqcn = Dcqcn.KIND.presets().get(1);
        double ratio = ratio(run(dcqcn, CCRP));
        assertTrue(ratio > 4 / 6.0 && ratio < 6 / 4.0, ratio + " times");
    }

    @Test
    void run_largerOmegaMax_getsMore() {
        Settings dcqcn = Dcqcn.KIND.presets().get(1);
        double small = ratio(run(dcqcn, omegaMax(0.03)));
        double large = ratio(run(dcqcn, omegaMax(0.1)));
        assertTrue(small < large, small + " times with 0.03, " + large + " times with 0.1");
    }

    /**
     * {@return how many times as much as the flow with credits NewReno gets next to it, on a link like that of a lab}
     */
    private static double newRenoOver(ProtocolConfig credits) {
        CreditSettings paper = CreditSettings.DEFAULT.withModel(CreditModel.PAPER);
        PortSpec port = new PortSpec(300_000, paper, EcnConfig.step(30_000));
        return ratio(new SharedLink(200_000_000L, 25_000, port)
                .flow(credits, Traffic.UNLIMITED_BYTES, 0, Traffic.Times.NEVER.atNanos())
                .flow(NewReno.KIND.usual(), Traffic.UNLIMITED_BYTES, 0, Traffic.Times.NEVER.atNanos())
                .run(1_000 * MILLISECOND, 300 * MILLISECOND, 0));
    }

    /** The timers are for links of 10 Gbps; here they are as many times as long as the link is slower. */
    @Test
    void run_besideNewRenoOnASlowLink_leavesItMoreThanTwiceWhatExpressPassDoes() {
        double besideExpressPass = newRenoOver(ExpressPass.weir());
        double besideCcrp = newRenoOver(
                Ccrp.KIND.usual().with(Ccrp.RATE_TIMER, 20 * MILLISECOND).with(Ccrp.ALPHA_TIMER, 20 * MILLISECOND));
        String found = besideExpressPass + " times as much next to ExpressPass, " + besideCcrp + " next to CCRP";
        assertTrue(besideCcrp > 2 * besideExpressPass, found);
    }

    @Test
    void run_twoAlone_fillTheLinkEvenlyWithoutAQueue() {
        ScenarioResult result = run(CCRP, CCRP);
        assertTrue(result.summary().jainIndex() > 0.98, result.summary().toString());
        assertTrue(
                SharedLink.shared(result).utilization() > 0.87,
                SharedLink.shared(result).toString());
        // Fewer than Kmin: nothing is marked where all traffic has credits.
        assertTrue(SharedLink.shared(result).queueBytesMax() < 5_000);
        assertEquals(0, SharedLink.shared(result).marks());
        assertEquals(0, result.summary().dataDrops());
    }

    @Test
    void run_reactiveFlowLeaves_takesTheLinkBack() {
        SharedLink shared = link().flow(Dcqcn.KIND.usual(), Traffic.UNLIMITED_BYTES, 0, 30 * MILLISECOND)
                .flow(CCRP, Traffic.UNLIMITED_BYTES, 0, Traffic.Times.NEVER.atNanos());
        ScenarioResult result = shared.run(40 * MILLISECOND, 0, MILLISECOND);
        double[] shares = shared.shares(result, 1);
        assertTrue(shares[39] > 0.9, "10 ms later it has " + shares[39]);
    }

    /** What Figure 5 needs costs it: past the target of the last cut, DCQCN's recovery holds the rate back. */
    @Test
    void run_reactiveFlowLeavesThatOfThePaper_takesTheLinkBackSlowly() {
        Settings paper = Ccrp.KIND.presets().get(2);
        SharedLink shared = link().flow(Dcqcn.KIND.usual(), Traffic.UNLIMITED_BYTES, 0, 30 * MILLISECOND)
                .flow(paper, Traffic.UNLIMITED_BYTES, 0, Traffic.Times.NEVER.atNanos());
        ScenarioResult result = shared.run(140 * MILLISECOND, 0, MILLISECOND);
        double[] shares = shared.shares(result, 1);
        assertTrue(shares[39] < 0.8, "10 ms later it has " + shares[39]);
        assertTrue(shares[139] > 0.9, "110 ms later it has " + shares[139]);
    }

    @Test
    void presets_differFromTheUsualOneAsTheyShould() {
        assertEquals(
                "[ccrp, ccrp-authors, ccrp-paper, ccrp-literal]",
                Ccrp.KIND.presets().stream().map(Settings::preset).toList().toString());
        Settings literal = Ccrp.KIND.presets().get(3);
        assertTrue(literal.flag(Ccrp.CUT_AT_TARGET));
        assertEquals(0, literal.whole(Ccrp.RECOVERY));
    }
}
