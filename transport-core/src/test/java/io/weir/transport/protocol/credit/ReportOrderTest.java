package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link ReportOrder}. */
class ReportOrderTest {
    private final ReportOrder reports = new ReportOrder();

    @Test
    void accept_risingNumbers_areNews() {
        assertTrue(reports.accept(1));
        assertTrue(reports.accept(5));
    }

    @Test
    void accept_overtakenOrRepeated_isNone() {
        reports.accept(5);
        assertFalse(reports.accept(5));
        assertFalse(reports.accept(4));
        assertTrue(reports.accept(6));
    }

    @Test
    void accept_afterANumberFarAhead_believesTheOthersAgain() {
        reports.accept(5);
        assertTrue(reports.accept(1 << 20));
        assertTrue(reports.accept(6));
        assertTrue(reports.accept(7));
    }

    @Test
    void accept_numbersWrap_areNews() {
        reports.accept(0x7FFF_FFFF);
        assertTrue(reports.accept(0x8000_0000));
        reports.accept(0xFFFF_FFFF);
        assertTrue(reports.accept(0));
        assertFalse(reports.accept(0xFFFF_FFFF));
    }
}
