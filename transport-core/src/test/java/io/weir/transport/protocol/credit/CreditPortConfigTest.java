package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.pacer.CreditShape;
import io.weir.transport.node.ConfigException;
import org.junit.jupiter.api.Test;

/** Tests {@link CreditPortConfig}. */
class CreditPortConfigTest {
    private static final long LINK = 10_000_000_000L;
    private static final CreditShape RANDOM = CreditShape.permitting(1538).withWireBytes(84, 92);
    private static final CreditShape FIXED = CreditShape.permitting(1538);

    @Test
    void paper_anyCreditSizes_is84Of84And1538() {
        assertEquals(
                (long) (10e9 * 84 / (84 + 1538)),
                CreditPortConfig.paper(LINK, RANDOM).rateBps());
        assertEquals(517_879_161L, CreditPortConfig.paper(LINK, FIXED).rateBps());
        assertEquals(64_734_895L, CreditPortConfig.paper(LINK, FIXED).rateBps() / 8, "the authors' constant, in bytes");
        assertEquals(168, CreditPortConfig.paper(LINK, RANDOM).burstBytes());
        assertEquals(672, CreditPortConfig.paper(LINK, RANDOM).queueBytesMax());
        assertEquals(
                CreditPortConfig.Drop.TAIL, CreditPortConfig.paper(LINK, RANDOM).drop());
    }

    @Test
    void authors_randomSizes_isTheMeanOfMeanAnd1538() {
        assertEquals(
                (long) (10e9 * 88 / (88 + 1538)),
                CreditPortConfig.authors(LINK, RANDOM).rateBps());
        assertEquals(
                CreditPortConfig.paper(LINK, FIXED).rateBps(),
                CreditPortConfig.authors(LINK, FIXED).rateBps());
    }

    @Test
    void exact_charges_theCreditAndItsLargestFrame() {
        CreditPortConfig config = CreditPortConfig.exact(LINK, RANDOM, 10_000, 2);
        assertEquals(9_900_000_000L, config.rateBps());
        assertEquals(1538, config.surchargeBytes());
        assertEquals(2 * (92 + 1538), config.burstBytes());
        assertEquals(9_900_000_000L, config.creditedRateBps());
    }

    @Test
    void creditedRate_ofAByteMeter_isWhatItLetsPass() {
        // Credits of 84 B at 84/(84+1538) of the link stand for the whole link; longer ones for less.
        assertEquals((double) LINK, (double) CreditPortConfig.paper(LINK, FIXED).creditedRateBps(), 20);
        double share = 84.0 / 1622 * 1626 / 88;
        assertEquals(LINK * share, (double) CreditPortConfig.paper(LINK, RANDOM).creditedRateBps(), 20);
        assertEquals(
                (double) LINK, (double) CreditPortConfig.authors(LINK, RANDOM).creditedRateBps(), 20);
    }

    @Test
    void with_oneThingChanged_keepsTheRest() {
        CreditPortConfig config = CreditPortConfig.exact(LINK, RANDOM, 0, 2);
        assertEquals(config, config.withDrop(CreditPortConfig.Drop.TAIL).withDrop(CreditPortConfig.Drop.RANDOM));
        assertEquals(168, config.withQueueBytesMax(168).queueBytesMax());
        assertEquals(config, config.withQueueBytesMax(168).withQueueBytesMax(672));
    }

    @Test
    void constructor_impossible_isRefused() {
        CreditPortConfig config = CreditPortConfig.exact(LINK, RANDOM, 0, 2);
        assertThrows(ConfigException.class, () -> config.withQueueBytesMax(91));
        assertThrows(ConfigException.class, () -> CreditPortConfig.exact(LINK, RANDOM, 1_000_000, 2));
        assertThrows(ConfigException.class, () -> CreditPortConfig.exact(LINK, RANDOM, -1, 2));
        assertThrows(ConfigException.class, () -> CreditPortConfig.exact(LINK, RANDOM, 0, 0));
        assertThrows(
                ConfigException.class,
                () -> new CreditPortConfig(LINK, -1, 3_000, 672, CreditPortConfig.Drop.TAIL, RANDOM));
        assertThrows(
                IllegalArgumentException.class,
                () -> new CreditPortConfig(0, 0, 3_000, 672, CreditPortConfig.Drop.TAIL, RANDOM));
    }
}
