package io.weir.papers.ccrp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link Mix} and {@link Mixes}. */
class MixTest {
    @Test
    void shares_ofTwoFlows_areOfBothTogether() {
        Mix mix = Made.mix(0.75);
        assertEquals(0.75, mix.creditsShare(), 1e-9);
        assertEquals(3, mix.ratio(), 1e-9);
        assertEquals(0.8, mix.jain(), 1e-9);
        assertEquals(0, mix.shares().get(0));
        assertEquals(0.75, mix.shares().get(Mix.JOIN_INTERVAL), 1e-9);
    }

    @Test
    void convergenceMillis_halfFromTheStartOn_isTheWindow() {
        assertEquals(10, Made.mix(0.5).convergenceMillis());
        assertEquals(10, Made.mix(0.41).convergenceMillis());
        assertTrue(Double.isInfinite(Made.mix(0.39).convergenceMillis()));
    }

    @Test
    void two_sameProtocols_isTheSameRunForEveryFigure() {
        assertEquals(
                Mixes.two("dcqcn", Mixes.CCRP, Scale.QUICK).runs().get(0).command(),
                Mixes.two("dcqcn", Mixes.ccrp(0.06), Scale.QUICK).runs().get(0).command());
    }

    @Test
    void many_pairs_haveHostsOfTheirOwn() {
        List<String> settings =
                Mixes.many("dcqcn", "ccrp", 4, Scale.QUICK).runs().get(0).settings();
        assertTrue(settings.contains("topology.pairs=8"), settings.toString());
        assertTrue(settings.contains("traffic[reactive].from=h1..h4"), settings.toString());
        assertTrue(settings.contains("traffic[reactive].to=h9..h12"), settings.toString());
        assertTrue(settings.contains("traffic[credits].from=h5..h8"), settings.toString());
        assertTrue(settings.contains("traffic[credits].to=h13..h16"), settings.toString());
    }

    @Test
    void median_ofTheSeeds_isTheOneInTheMiddle() {
        Repeated mixes = Mixes.two("dcqcn", "ccrp", Scale.QUICK);
        RunResults results = new RunResults();
        List<Double> shares = List.of(0.9, 0.5, 0.1, 0.55, 0.45);
        for (int i = 0; i < shares.size(); i++) {
            results.put(mixes.runs().get(i), Made.mix(shares.get(i)));
        }
        assertEquals(0.5, mixes.median(results, Mix::creditsShare), 1e-9);
        assertEquals(0.9, mixes.first(results).creditsShare(), 1e-9);
    }
}
