package io.weir.transport.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link Ledger}. */
class LedgerTest {
    @Test
    void add_severalOwners_isTheirSum() {
        Ledger ledger = new Ledger()
                .add(AccountId.TIMERS, 1)
                .add(AccountId.FRAMES, 2)
                .add(AccountId.FRAMES, 3)
                .add(AccountId.PEERS, 0);
        assertEquals(5, ledger.open(AccountId.FRAMES));
        assertEquals("5 frames, 1 timers", ledger.toString());
        assertFalse(ledger.isBalanced());
    }

    @Test
    void isBalanced_everythingGivenBack_isTrue() {
        Ledger ledger = new Ledger().add(AccountId.FRAMES, 2).add(AccountId.FRAMES, -2);
        assertTrue(ledger.isBalanced());
        assertEquals("", ledger.toString());
    }

    @Test
    void isBalanced_moreGivenBackThanTaken_isFalse() {
        assertEquals("-1 frames", new Ledger().add(AccountId.FRAMES, -1).toString());
        assertFalse(new Ledger().add(AccountId.FRAMES, -1).isBalanced());
    }

    @Test
    void without_anAccountThatIsOpen_hasTheOthers() {
        Ledger ledger = new Ledger().add(AccountId.BUFFER_BYTES, 16_384).add(AccountId.PORTS, 1);
        assertEquals("1 ports", ledger.without(AccountId.BUFFER_BYTES).toString());
        assertEquals(16_384, ledger.open(AccountId.BUFFER_BYTES));
    }
}
