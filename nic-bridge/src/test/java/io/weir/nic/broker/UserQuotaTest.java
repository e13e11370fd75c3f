package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Tests {@link UserQuota}. */
class UserQuotaTest {
    private static final int AMOUNT_MAX = 1_600;
    private static final int AT_ONCE = 5;

    private final UserQuota quota = new UserQuota(AMOUNT_MAX, amount -> amount + " things", "raise it");

    private long takeAll(int user) {
        long amount = 0;
        while (quota.take(user, "user" + user, AT_ONCE) == null) {
            amount += AT_ONCE;
        }
        return amount;
    }

    @Test
    void take_oneUser_getsHalfAndIsToldNumberLimitAndRemedy() {
        assertEquals(AMOUNT_MAX / 2, takeAll(1));
        assertEquals(
                "user alice has 800 things, and 5 things more would exceed what one user may have (800 things);"
                        + " raise it",
                quota.take(1, "alice", AT_ONCE));
        assertNull(quota.take(2, "bob", AT_ONCE));
    }

    @Test
    void take_allUsers_leaveASixteenthToRoot() {
        assertEquals(1_500, takeAll(1) + takeAll(2) + takeAll(3));
        assertNotNull(quota.take(4, "carol", AT_ONCE));
        assertEquals(100, takeAll(0));
        assertEquals(AMOUNT_MAX, quota.takenOfAll());
    }

    @Test
    void giveBack_some_letsAsMuchBeTaken() {
        takeAll(1);
        quota.giveBack(1, AT_ONCE);
        assertNull(quota.take(1, "alice", AT_ONCE));
        assertNotNull(quota.take(1, "alice", AT_ONCE));
    }

    @Test
    void giveBack_all_leavesNothing() {
        quota.take(1, "alice", AT_ONCE);
        quota.giveBack(1, AT_ONCE);
        assertEquals(0, quota.takenOfAll());
        assertEquals(AMOUNT_MAX / 2, takeAll(1));
    }

    @Test
    void ofDescriptors_anyLimit_leavesSome() {
        assertNull(UserQuota.ofDescriptors().take(1, "alice", 3));
    }
}
