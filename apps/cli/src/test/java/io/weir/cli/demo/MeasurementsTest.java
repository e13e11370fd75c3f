package io.weir.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Tests the arithmetic of the measurements. */
class MeasurementsTest {
    @Test
    void jainIndex_equalShares_isOne() {
        assertEquals(1, Measurements.jainIndex(new double[] {3, 3, 3}), 1e-12);
    }

    @Test
    void jainIndex_oneTakesAll_isOneByTheirNumber() {
        assertEquals(0.25, Measurements.jainIndex(new double[] {0, 0, 8, 0}), 1e-12);
    }

    @Test
    void jainIndex_nothingMoved_isUnknown() {
        assertNull(Measurements.jainIndex(new double[4]));
    }

    /** 1 Gbps, 1 % without credits, 88 B of credit for 1538 B of data: 0.99 x 1538 / 1626. */
    @Test
    void goodput_oneGigabit_isTheProductOfItsTerms() {
        DemoPlan plan = new DemoPlanBuilder().flowCount(2).build();
        ExpectedGoodput goodput = ExpectedGoodput.of(plan.bottleneckBps(), Trunk.credits(plan));
        double dataShare = 0.99 * 1538 / 1626;
        assertEquals(dataShare, goodput.dataShare(), 0.003);
        assertEquals(0.93e9 * goodput.dataShare() * 1460 / 1538, goodput.bps(), 1);
    }
}
