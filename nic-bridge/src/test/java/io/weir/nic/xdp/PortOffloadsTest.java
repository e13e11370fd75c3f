package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests {@link PortOffloads} with a device that is not there. */
class PortOffloadsTest {
    private final Set<String> on = new TreeSet<>();
    private final Set<String> fixed = new TreeSet<>();
    private final Set<String> refused = new TreeSet<>();
    private final List<String> changes = new ArrayList<>();
    private final PortOffloads offloads = new PortOffloads("x0", new PortOffloads.Device() {
        @Override
        public Set<String> on() {
            return Set.copyOf(on);
        }

        @Override
        public boolean set(String feature, boolean isOn) throws NicException {
            if (refused.contains(feature)) {
                throw new NicException(Errno.EBUSY.number(), "turn " + feature + " off", "wait");
            }
            if (fixed.contains(feature)) {
                return false;
            }
            changes.add(feature + (isOn ? " on" : " off"));
            if (isOn) {
                on.add(feature);
            } else {
                on.remove(feature);
            }
            return true;
        }
    });

    @ParameterizedTest
    @EnumSource(ProgramKind.class)
    void keepTags_deviceThatLeavesThem_changesNothing(ProgramKind kind) throws Exception {
        on.add("rx-lro");
        assertEquals("", offloads.keepTags(kind, List.of("x0.5")));
        offloads.close();
        assertEquals(List.of(), changes);
    }

    @Test
    void keepTags_hostWithoutVlans_saysWhatCountsAsUntaggedAndTheRemedy() throws Exception {
        on.add(PortOffloads.TAGS);
        String said = offloads.keepTags(ProgramKind.HOST, List.of());
        assertTrue(said.contains("datagrams of every VLAN count as untagged"), said);
        assertTrue(said.endsWith("ethtool -K x0 rxvlan off"), said);
        assertEquals(List.of(), changes);
    }

    @Test
    void keepTags_switch_isOffUntilTheEnd() throws Exception {
        on.add(PortOffloads.TAGS);
        String said = offloads.keepTags(ProgramKind.SWITCH, List.of());
        assertTrue(said.startsWith("; rxvlan is off until the port closes"), said);
        assertEquals(Set.of(), on);
        offloads.close();
        offloads.close();
        assertEquals(List.of("rx-vlan-hw-parse off", "rx-vlan-hw-parse on"), changes);
    }

    @Test
    void keepTags_hostWithVlans_isOffUntilTheEnd() throws Exception {
        on.add(PortOffloads.TAGS);
        offloads.keepTags(ProgramKind.HOST, List.of("x0.5"));
        assertEquals(Set.of(), on);
        offloads.close();
        assertEquals(Set.of(PortOffloads.TAGS), on);
    }

    @Test
    void keepTags_driverThatCannotChangeIt_refusesASwitchAndWarnsAHost() throws Exception {
        on.add(PortOffloads.TAGS);
        fixed.add(PortOffloads.TAGS);
        NicException no =
                assertThrows(NicException.class, () -> offloads.keepTags(ProgramKind.SWITCH, List.of("x0.5")));
        assertTrue(no.getMessage().contains("would merge VLANs; use backend af-packet"), no.getMessage());
        String said = offloads.keepTags(ProgramKind.HOST, List.of("x0.5"));
        assertTrue(said.contains("datagrams of [x0.5] for this interface's addresses count as untagged"), said);
        offloads.close();
        assertEquals(List.of(), changes);
    }

    @Test
    void turnOffJoining_allThatIsOn_isOnAgainAtTheEndInReverse() throws Exception {
        on.addAll(Set.of("rx-lro", "rx-gro-hw", "rx-gro"));
        assertEquals(List.of("rx-lro", "rx-gro-hw"), offloads.turnOffJoining());
        assertEquals(Set.of("rx-gro"), on);
        offloads.close();
        assertEquals(List.of("rx-lro off", "rx-gro-hw off", "rx-gro-hw on", "rx-lro on"), changes);
    }

    @Test
    void turnOffJoining_refusedHalfWay_whatIsOffGoesOnAgain() {
        on.addAll(Set.of("rx-lro", "rx-gro-hw"));
        refused.add("rx-gro-hw");
        assertThrows(NicException.class, offloads::turnOffJoining);
        offloads.close();
        assertEquals(List.of("rx-lro off", "rx-lro on"), changes);
        assertEquals(Set.of("rx-lro", "rx-gro-hw"), on);
    }

    @Test
    void restoreJoining_leavesTagsAsThePortNeedsThem() throws Exception {
        on.addAll(Set.of(PortOffloads.TAGS, "rx-lro", "rx-gro-hw"));
        fixed.add("rx-gro-hw");
        offloads.keepTags(ProgramKind.SWITCH, List.of());
        assertEquals(List.of("rx-lro"), offloads.turnOffJoining());
        assertEquals(List.of("rx-gro-hw"), offloads.stuckJoining());
        offloads.restoreJoining();
        assertEquals(Set.of("rx-lro", "rx-gro-hw"), on);
        offloads.close();
        assertEquals(Set.of("rx-lro", "rx-gro-hw", PortOffloads.TAGS), on);
    }

    @Test
    void close_refused_doesNotKeepTheRestOff() throws Exception {
        on.addAll(Set.of("rx-lro", "rx-gro-hw"));
        offloads.turnOffJoining();
        refused.add("rx-gro-hw");
        offloads.close();
        assertEquals(Set.of("rx-lro"), on);
    }
}
