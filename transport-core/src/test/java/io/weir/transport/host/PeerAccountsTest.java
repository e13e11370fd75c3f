package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.flow.BufferBudget;
import io.weir.transport.wire.IpAddress;
import org.junit.jupiter.api.Test;

/** Tests {@link PeerAccounts}. */
class PeerAccountsTest {
    private static final int BACKLOG = 1_024;

    private final BufferBudget budget = new BufferBudget(1 << 24);
    private final PeerAccounts accounts = new PeerAccounts(
            HostConfig.Peers.DEFAULT.withCreditedMax(2).withConnectionsMax(3).withMemoryPercent(25), budget);

    private PeerAccount peer(int number) {
        return accounts.of(IpAddress.v4(number));
    }

    @Test
    void of_sameAddress_isTheSameAccountUntilItIsEmpty() {
        PeerAccount account = peer(1);
        account.addConnection(1);
        assertSame(account, peer(1));
        accounts.settle(account);
        assertEquals(1, accounts.size());
        account.addConnection(-1);
        accounts.settle(account);
        assertEquals(0, accounts.size());
    }

    @Test
    void memory_ofAPeer_isItsShareOfTheBudget() {
        assertEquals(1 << 22, peer(1).memory().bytesMax());
    }

    @Test
    void hasPlace_onePeer_hasHalfOfAllPlaces() {
        PeerAccount hog = peer(1);
        int taken = 0;
        while (accounts.hasPlace(hog, BACKLOG - taken)) {
            hog.addHalfOpen(1);
            taken++;
        }
        assertEquals(BACKLOG / 2, taken);
        assertTrue(accounts.hasPlace(peer(2), BACKLOG - taken));
    }

    @Test
    void hasPlace_hundredPeersThatTakeAllTheyCan_leaveRoomForAnother() {
        int taken = 0;
        for (boolean isTaking = true; isTaking; ) {
            isTaking = false;
            for (int i = 1; i <= 100; i++) {
                if (accounts.hasPlace(peer(i), BACKLOG - taken)) {
                    peer(i).addHalfOpen(1);
                    taken++;
                    isTaking = true;
                }
            }
        }
        assertTrue(BACKLOG - taken >= BACKLOG / 101 - 1, (BACKLOG - taken) + " are left");
        assertTrue(accounts.hasPlace(peer(1_000), BACKLOG - taken));
    }

    @Test
    void hasPlace_noneLeftAtAll_isFalseForAPeerWithoutAny() {
        assertFalse(accounts.hasPlace(peer(1), 0));
        assertTrue(accounts.hasPlace(peer(1), 1));
    }

    @Test
    void hasPlace_unlimited_isWhateverIsLeft() {
        PeerAccounts unlimited = new PeerAccounts(HostConfig.Peers.UNLIMITED, budget);
        PeerAccount hog = unlimited.of(IpAddress.v4(1));
        hog.addHalfOpen(BACKLOG - 1);
        assertTrue(unlimited.hasPlace(hog, 1));
        assertFalse(unlimited.hasPlace(hog, 0));
    }

    @Test
    void limits_ofCreditsAndConnections_areExact() {
        PeerAccount account = peer(1);
        account.addCredited(1);
        assertTrue(accounts.maySpendCredits(account));
        account.addCredited(1);
        assertFalse(accounts.maySpendCredits(account));
        account.addConnection(2);
        assertTrue(accounts.mayConnect(account, 2));
        assertFalse(accounts.mayConnect(account, 1), "it has more than it leaves to others");
        account.addConnection(1);
        assertFalse(accounts.mayConnect(account, 100));
    }
}
