package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.wire.IpAddress;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests {@link OwnAddresses}: until when the connections of an address stay. What frames go to is HostStackTest's. */
class OwnAddressesTest {
    private static final IpAddress FIRST = IpAddress.parse("10.0.0.1");
    private static final IpAddress SECOND = IpAddress.parse("10.0.0.2");
    private static final long GAP = OwnAddresses.REMOVAL_NANOS;

    private final OwnAddresses addresses = new OwnAddresses(List.of(FIRST, SECOND));

    @Test
    void set_sameAddresses_removesNothing() {
        addresses.set(List.of(SECOND, FIRST), 5);
        assertEquals(NO_DEADLINE, addresses.nextTimeoutNanos());
    }

    @Test
    void takeRemoved_afterASecond_givesThemOnce() {
        addresses.set(List.of(FIRST), 5);
        assertEquals(5 + GAP, addresses.nextTimeoutNanos());
        assertEquals(Set.of(), addresses.takeRemoved(4 + GAP));
        assertEquals(Set.of(SECOND), addresses.takeRemoved(5 + GAP));
        assertEquals(NO_DEADLINE, addresses.nextTimeoutNanos());
        assertEquals(Set.of(), addresses.takeRemoved(Long.MAX_VALUE - 1));
    }

    @Test
    void set_addressIsBackInTime_isNotAmongTheRemoved() {
        addresses.set(List.of(), 0);
        addresses.set(List.of(SECOND), GAP / 2);
        assertEquals(Set.of(FIRST), addresses.takeRemoved(GAP / 2 + GAP));
    }
}
