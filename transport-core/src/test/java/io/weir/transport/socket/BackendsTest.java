package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.PortConfig;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests which backend a transport gets. */
class BackendsTest {
    private static final UnaryOperator<String> UNSET = Map.<String, String>of()::get;

    private final Backends backends = new Backends(List.of(
            new Named("first", "none"),
            new Named("second", "eth1"),
            new Named("third", "eth1"),
            new Named("last", "")));

    /** A backend by which one interface is offered. */
    private record Named(String name, String offered) implements Backend {
        @Override
        public boolean isOffered(String interfaceName) {
            return offered.equals(interfaceName);
        }

        @Override
        public NetInterface open(
                String interfaceName, FramePool pool, PortConfig config, List<InetAddress> furtherAddresses) {
            throw new UnsupportedOperationException("it is only asked for");
        }

        @Override
        public int frameCapacityBytes(String interfaceName) {
            return 2_048;
        }
    }

    private static UnaryOperator<String> property(String value) {
        return Map.of(Backends.PROPERTY, value)::get;
    }

    private String find(String name, String interfaceName, UnaryOperator<String> properties) {
        return backends.find(name, interfaceName, properties).name();
    }

    @Test
    void find_nothingIsNamed_isThatByWhichTheInterfaceIsOffered() {
        assertEquals("second", find("", "eth1", UNSET));
        assertEquals("second", find("", "eth1", property(" ")));
    }

    @Test
    void find_nobodyOffersTheInterface_isTheFirst() {
        assertEquals("first", find("", "eth0", UNSET));
    }

    @Test
    void find_propertyNamesOne_isThat() {
        assertEquals("last", find("", "eth1", property(" last ")));
        assertEquals("last", find("", "eth0", property("last")));
    }

    @Test
    void find_programNamesOne_isThatWhateverThePropertySays() {
        assertEquals("third", find("third", "eth0", property("last")));
    }

    @Test
    void find_absentOne_isRefusedByWhoNamedIt() {
        ConfigException refused = assertThrows(ConfigException.class, () -> find("afxdp", "eth0", UNSET));
        assertEquals(
                "backend=afxdp is not on the class path, which has [first, second, third, last]; add the module that"
                        + " offers it, such as weir-nic-bridge for afxdp",
                refused.getMessage());
        refused = assertThrows(ConfigException.class, () -> find("", "eth1", property("afxdp")));
        assertEquals("property weir.backend=afxdp is not", refused.getMessage().substring(0, 34));
        Backends none = new Backends(List.of());
        refused = assertThrows(ConfigException.class, () -> none.find("", "eth0", UNSET));
        assertEquals(
                "backend=(any) is not on the class path, which has []; add the module that offers it, such as"
                        + " weir-nic-bridge for afxdp",
                refused.getMessage());
    }
}
