package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the rights file. */
class PortRightsTest {
    private static final int ALICE = 1000;

    private static PortRights parse(String... lines) {
        return PortRights.parse("rights", List.of(lines), name -> name.equals("alice") ? ALICE : -1);
    }

    @Test
    void asFromTheKernel_everybody_mayTakeUnprivilegedPorts() {
        PortRights rights = PortRights.asFromTheKernel();
        assertTrue(rights.mayConnect(ALICE));
        assertTrue(rights.mayTake(ALICE, 1024) && rights.mayTake(ALICE, 65_535));
        assertFalse(rights.mayTake(ALICE, 1023));
        assertTrue(rights.mayTake(0, 53));
    }

    @Test
    void parse_wordBroadcast_isARightOfItsUserAlone() {
        PortRights rights = parse("alice 4720 broadcast", "1001 6000");
        assertTrue(rights.mayBroadcast(ALICE) && rights.mayBroadcast(0));
        assertFalse(rights.mayBroadcast(1001));
        assertTrue(rights.mayTake(ALICE, 4720));
        assertFalse(PortRights.asFromTheKernel().mayBroadcast(ALICE));
    }

    @Test
    void parse_userByNameAndNumber_hasItsPortsAndThoseOfConnections() {
        PortRights rights = parse("# who may what", "", "alice\t4720-4722 53  # a service", "1001 6000");
        for (int port : new int[] {53, 4720, 4721, 4722, 49_152, 65_535}) {
            assertTrue(rights.mayTake(ALICE, port), "port " + port);
        }
        for (int port : new int[] {52, 4719, 4723, 6000, 49_151}) {
            assertFalse(rights.mayTake(ALICE, port), "port " + port);
        }
        assertTrue(rights.mayTake(1001, 6000));
        assertFalse(rights.mayTake(1001, 4720));
    }

    @Test
    void parse_severalLinesOfAUser_addUp() {
        PortRights rights = parse("alice 1", "1000 2");
        assertTrue(rights.mayTake(ALICE, 1) && rights.mayTake(ALICE, 2));
    }

    @Test
    void parse_everybody_isEveryUser() {
        PortRights rights = parse("* 7000-7001", "alice 1", "* 8000");
        assertTrue(rights.mayTake(5, 7001) && rights.mayTake(5, 8000) && rights.mayTake(ALICE, 7000));
        assertTrue(rights.mayConnect(5));
        assertFalse(rights.mayTake(5, 1));
    }

    @Test
    void mayConnect_userWithoutALine_isRootAlone() {
        PortRights rights = parse("alice 1");
        assertFalse(rights.mayConnect(5));
        assertTrue(rights.mayConnect(0) && rights.mayTake(0, 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alice 0",
                "alice 65536",
                "alice 5-4",
                "alice 1-2-3",
                "alice x",
                "alice -1",
                "alice 1-",
                "alice 1,2",
                "alice 99999999999",
                "alice ٣"
            })
    void parse_noRange_isRefusedWithItsPlace(String line) {
        ConfigException e = assertThrows(ConfigException.class, () -> parse("# first", line));
        assertEquals(
                "rights:2: " + line.substring(6)
                        + " is no range of UDP ports; write one of 1 to 65535, such as 4720 or 4720-4729",
                e.getMessage());
    }

    @Test
    void parse_userWithoutPorts_isRefused() {
        assertEquals(
                "rights:1: alice has no ports; write them behind the user: alice 4720-4729",
                assertThrows(ConfigException.class, () -> parse("alice")).getMessage());
    }

    @Test
    void parse_unknownUser_isRefused() {
        assertEquals(
                "rights:1: user bob is unknown on this host; see: getent passwd, or write the number",
                assertThrows(ConfigException.class, () -> parse("bob 1")).getMessage());
    }

    @Test
    void read_missingFile_isRefused() {
        ConfigException e =
                assertThrows(ConfigException.class, () -> PortRights.read(Path.of("/no/such/rights"), name -> -1));
        assertTrue(e.getMessage().startsWith("rights file /no/such/rights cannot be read: "), e.getMessage());
    }
}
