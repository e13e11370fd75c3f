package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Turns features of a veth on and off. */
@LiveTest
class DeviceFeaturesLiveTest {
    private TwoHosts hosts;

    @BeforeEach
    void open() throws Exception {
        hosts = TwoHosts.create();
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    private Set<String> on() throws Exception {
        return hosts.a().call(() -> DeviceFeatures.on(TwoHosts.INTERFACE));
    }

    private boolean set(String feature, boolean isOn) throws Exception {
        return hosts.a().call(() -> DeviceFeatures.set(TwoHosts.INTERFACE, feature, isOn));
    }

    @Test
    void set_featureThatCanChange_isAsWanted() throws Exception {
        assertFalse(on().contains("rx-gro"), "the laboratory turns it off");
        assertTrue(set("rx-gro", true));
        assertTrue(on().contains("rx-gro"));
        assertTrue(set("rx-gro", false));
        assertFalse(on().contains("rx-gro"));
    }

    @Test
    void set_featureThatTheDeviceHasNot_saysSo() throws Exception {
        assertFalse(set("rx-lro", true), "a veth has none");
        assertTrue(set("rx-lro", false), "as wanted");
        assertTrue(set("no-such-feature", false));
        assertFalse(set("no-such-feature", true));
    }

    @Test
    void noSuchInterface_hasNothingOnAndNothingToTurnOff() throws Exception {
        assertEquals(Set.of(), hosts.a().call(() -> DeviceFeatures.on("none0")));
        assertFalse(hosts.a().call(() -> DeviceFeatures.set("none0", "rx-gro", true)));
        assertTrue(hosts.a().call(() -> DeviceFeatures.set("none0", "rx-gro", false)));
    }
}
