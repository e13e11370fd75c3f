package io.weir.transport.protocol.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link FairShares} against shares worked out by hand. */
class FairSharesTest {
    private final FairShares shares = new FairShares(0);

    private FairShares.Flow flow(long from, long to) {
        FairShares.Flow flow = shares.addFlow(from, to);
        shares.begin(flow);
        return flow;
    }

    private void hosts(int count, long rateBps) {
        for (int i = 1; i <= count; i++) {
            shares.setRate(i, rateBps);
        }
    }

    @Test
    void rateBps_flowsToOneHost_shareItsLink() {
        hosts(20, 900);
        FairShares.Flow first = flow(1, 20);
        assertEquals(900, shares.rateBps(first));
        FairShares.Flow second = flow(2, 20);
        assertEquals(450, shares.rateBps(first));
        FairShares.Flow third = flow(2, 20);
        assertEquals(300, shares.rateBps(third));
        shares.end(third);
        shares.end(third);
        assertEquals(450, shares.rateBps(second));
    }

    @Test
    void rateBps_flowHeldBackElsewhere_leavesTheRestToOthers() {
        hosts(4, 900);
        // Three flows leave host 1; one of their receivers has another flow, which gets what they leave.
        FairShares.Flow a = flow(1, 2);
        FairShares.Flow b = flow(1, 3);
        FairShares.Flow c = flow(1, 4);
        FairShares.Flow d = flow(3, 4);
        assertEquals(300, shares.rateBps(a));
        assertEquals(300, shares.rateBps(b));
        assertEquals(300, shares.rateBps(c));
        assertEquals(600, shares.rateBps(d));
    }

    @Test
    void rateBps_unequalLinks_areFilledFromTheNarrowest() {
        hosts(3, 1_000);
        shares.setRate(2, 100);
        FairShares.Flow narrow = flow(1, 2);
        FairShares.Flow wide = flow(1, 3);
        assertEquals(100, shares.rateBps(narrow));
        assertEquals(900, shares.rateBps(wide));
    }

    @Test
    void rateBps_trunk_isSharedByAll() {
        FairShares trunked = new FairShares(1_000);
        for (int i = 1; i <= 8; i++) {
            trunked.setRate(i, 1_000);
        }
        FairShares.Flow[] flows = new FairShares.Flow[4];
        for (int i = 0; i < flows.length; i++) {
            flows[i] = trunked.addFlow(1 + i, 5 + i);
            trunked.begin(flows[i]);
        }
        assertEquals(250, trunked.rateBps(flows[2]));
    }

    @Test
    void rateBps_hostsUnknown_isTheFastestLinkThereIs() {
        assertEquals(1_000_000_000_000L, shares.rateBps(flow(77, 78)));
    }
}
