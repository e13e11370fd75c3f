package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link PortQuota}. */
class PortQuotaTest {
    private static final int DESCRIPTORS = 1_200;
    private static final int ADDRESSES = 3;
    private static final int PORTS = DESCRIPTORS / ADDRESSES;

    private final PortQuota quota = new PortQuota(DESCRIPTORS);

    private int takeAll(int user) {
        int count = 0;
        while (quota.take(user, "user" + user, ADDRESSES) == null) {
            count++;
        }
        return count;
    }

    @Test
    void take_oneUser_getsHalfAndIsToldNumberLimitAndRemedy() {
        assertEquals(PORTS / 2, takeAll(1));
        String refusal = quota.take(1, "alice", ADDRESSES);
        assertTrue(
                refusal.startsWith("user alice has 200 UDP ports of the broker, the most of one user (200)"), refusal);
        assertTrue(refusal.contains("LimitNOFILE="), refusal);
        assertNull(quota.take(2, "bob", ADDRESSES));
    }

    @Test
    void take_allUsers_leaveSomeToRoot() {
        int taken = takeAll(1) + takeAll(2) + takeAll(3);
        assertEquals(PORTS - PortQuota.ROOT_PORTS, taken);
        assertNotNull(quota.take(4, "carol", ADDRESSES));
        assertEquals(PortQuota.ROOT_PORTS, takeAll(0));
    }

    @Test
    void giveBack_port_letsAnotherOneBeTaken() {
        takeAll(1);
        quota.giveBack(1);
        assertNull(quota.take(1, "alice", ADDRESSES));
        assertNotNull(quota.take(1, "alice", ADDRESSES));
    }

    @Test
    void ofProcess_anyLimit_leavesPorts() {
        assertNull(PortQuota.ofProcess().take(1, "alice", ADDRESSES));
    }
}
