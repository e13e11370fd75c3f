package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link MacRequests}. */
class MacRequestsTest {
    private final List<Collection<InetAddress>> asked = new ArrayList<>();
    private final MacRequests<String> requests = new MacRequests<>(asked::add);

    private static List<InetAddress> hosts(int first, int count) {
        List<InetAddress> hosts = new ArrayList<>();
        for (int i = first; i < first + count; i++) {
            try {
                hosts.add(InetAddress.getByAddress(new byte[] {10, 0, (byte) (i >> 8), (byte) i}));
            } catch (UnknownHostException e) {
                throw new AssertionError(e);
            }
        }
        return hosts;
    }

    @Test
    void ask_several_areAnsweredInTurnAndEachAlone() {
        requests.ask("one", hosts(1, 1), 0);
        requests.ask("other", hosts(2, 1), 0);
        assertEquals(List.of(hosts(1, 1)), asked);
        assertEquals("one", requests.takeAsker(0));
        assertEquals(hosts(2, 1), asked.get(1));
        assertEquals("other", requests.takeAsker(0));
        assertNull(requests.takeAsker(0));
        assertEquals(2, asked.size());
    }

    @Test
    void ask_tenThousandTimes_isOneRequestThatIsBounded() {
        requests.ask("other", hosts(0, 1), 0);
        for (int i = 0; i < 10_000; i++) {
            requests.ask("one", hosts(i, 1), 0);
        }
        assertEquals(1, asked.size());
        assertEquals(1, requests.waitingCount());
        int hosts = 0;
        for (requests.takeAsker(0); asked.size() > 1; requests.takeAsker(0)) {
            hosts += asked.remove(1).size();
        }
        assertEquals(MacRequests.HOSTS_MAX, hosts);
    }

    @Test
    void ask_moreThanARequestHolds_othersComeBetween() {
        requests.ask("one", hosts(0, 250), 0);
        requests.ask("other", hosts(300, 1), 0);
        for (int i = 0; i < 4; i++) {
            requests.takeAsker(0);
        }
        assertEquals(
                List.of(hosts(0, 100), hosts(100, 100), hosts(300, 1), hosts(200, 50)),
                asked.stream().map(List::copyOf).toList());
    }

    @Test
    void forget_waiting_isNotAskedFor() {
        requests.ask("one", hosts(1, 1), 0);
        requests.ask("other", hosts(2, 1), 0);
        requests.forget("other");
        assertEquals("one", requests.takeAsker(0));
        assertEquals(1, asked.size());
    }

    @Test
    void ask_answerThatNeverCame_isNotWaitedForAtLength() {
        requests.ask("one", hosts(1, 1), 0);
        requests.ask("other", hosts(2, 1), 6_000_000_000L);
        assertEquals(2, asked.size());
    }
}
