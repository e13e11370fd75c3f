package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.PortConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link WarmUp}. */
class WarmUpTest {
    private static TransportConfig config(String protocol, long nanosMax) {
        return TransportConfig.builder()
                .prefer(Catalogue.find(protocol).orElseThrow())
                .warmUpNanosMax(nanosMax)
                .build();
    }

    @Test
    void play_twice_playsOnce() {
        assertTrue(WarmUp.play(config("vegas", 1_000_000)) > 0);
        assertEquals(0, WarmUp.play(config("vegas", 1_000_000)));
        assertTrue(WarmUp.play(config("hull", 1_000_000)) > 0, "another protocol is other code");
    }

    @Test
    void prepare_interfaceThatCannotBeOpened_failsBeforeItPlays() {
        Backend absent = new Backend() {
            @Override
            public String name() {
                return "absent";
            }

            @Override
            public void requireOpenable(String interfaceName) throws IOException {
                throw new IOException("interface " + interfaceName + " not found");
            }

            @Override
            public NetInterface open(
                    String interfaceName, FramePool pool, PortConfig config, List<InetAddress> furtherAddresses) {
                throw new AssertionError("opened");
            }

            @Override
            public int frameCapacityBytes(String interfaceName) {
                return 2_048;
            }
        };
        TransportConfig config = config("timely", 1_000_000);
        IOException refused = assertThrows(IOException.class, () -> Transport.prepare(absent, "eth7", config));
        assertEquals("interface eth7 not found", refused.getMessage());
        assertTrue(WarmUp.play(config) > 0, "it had been played already");
    }

    @Test
    void play_notWanted_playsNothing() {
        assertEquals(0, WarmUp.play(config("cubic", 0)));
    }
}
