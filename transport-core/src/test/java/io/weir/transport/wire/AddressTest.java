package io.weir.transport.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Slots;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link IpAddress}, {@link Ethernet} and {@link Path}. */
class AddressTest {
    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "255.255.255.255", "0.0.0.0", "192.168.0.254"})
    void parse_ipv4_printsTheSame(String text) {
        assertEquals(text, IpAddress.parse(text).toString());
        assertFalse(IpAddress.parse(text).isV6());
    }

    @ParameterizedTest
    @ValueSource(strings = {"::", "::1", "fd00::1", "2001:db8:1:2:3:4:5:6", "fe80::1", "::1.2.3.4"})
    void parse_ipv6_isTheSameAddressAgain(String text) {
        IpAddress address = IpAddress.parse(text);
        assertTrue(address.isV6());
        assertEquals(address, IpAddress.parse(address.toString()));
        assertEquals(address, IpAddress.of(address.toInetAddress()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "example.com",
                "1",
                "10.1",
                "300.1.1.1",
                "1.2.3",
                "1.2.3.4.5",
                "01.2.3.4",
                "a.b.c.d",
                ":::",
                "fd00::1%eth0",
                "12345::",
                "1.2.3.4 ",
                "abc"
            })
    void parse_anythingElse_isRefusedWithoutALookUp(String text) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> IpAddress.parse(text));
        assertEquals("'" + text + "' is not an IPv4 or IPv6 address", e.getMessage());
    }

    @Test
    void equals_eachPartThatDiffers_makesAnotherAddress() {
        IpAddress address = IpAddress.v6(1, 2);
        assertEquals(IpAddress.v6(1, 2), address);
        assertEquals(IpAddress.v6(1, 2).hashCode(), address.hashCode());
        assertNotEquals(IpAddress.v6(1, 3), address);
        assertNotEquals(IpAddress.v6(3, 2), address);
        assertNotEquals(IpAddress.v4(2), IpAddress.v6(0, 2));
    }

    @Test
    void ethernet_written_isReadBack() {
        UnsafeBuffer buffer = Slots.exact(14);
        Ethernet.write(buffer, 0, 0xA1B2_C3D4_E5F6L, 0x0102_0304_0506L, Ethernet.TYPE_IPV6);
        assertEquals(0xA1B2_C3D4_E5F6L, Ethernet.destination(buffer, 0));
        assertEquals(0x0102_0304_0506L, Ethernet.source(buffer, 0));
        assertEquals(Ethernet.TYPE_IPV6, Ethernet.type(buffer, 0));
    }

    @Test
    void ethernet_formatted_isParsedBack() {
        assertEquals("02:00:00:00:0a:ff", Ethernet.format(0x0200_0000_0AFFL));
        assertEquals(0x0200_0000_0AFFL, Ethernet.parse("02:00:00:00:0A:fF"));
        assertEquals(Ethernet.BROADCAST, Ethernet.parse("ff:ff:ff:ff:ff:ff"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "02:00:00:00:00",
                "02:00:00:00:00:0",
                "02:00:00:00:00:zz",
                "+1:00:00:00:00:00",
                "0:200:0:0:0:0"
            })
    void ethernet_malformed_isRefused(String text) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Ethernet.parse(text));
        assertFalse(e instanceof NumberFormatException, "the message says what an address looks like");
    }

    @Test
    void ethernet_group_isTheLowBitOfTheFirstOctet() {
        assertTrue(Ethernet.isGroup(Ethernet.BROADCAST));
        assertTrue(Ethernet.isGroup(Ethernet.parse("01:00:5e:00:00:01")));
        assertFalse(Ethernet.isGroup(Ethernet.parse("02:00:00:00:00:01")));
    }

    @Test
    void path_mirroredTwice_isItself() {
        Path path = Path.from(1, IpAddress.v4(3), 5).to(2, IpAddress.v4(4), 6);
        assertEquals(Path.from(2, IpAddress.v4(4), 6).to(1, IpAddress.v4(3), 5), path.mirrored());
        assertEquals(path, path.mirrored().mirrored());
    }

    @Test
    void path_impossible_isRefused() {
        IpAddress v4 = IpAddress.v4(1);
        assertThrows(IllegalArgumentException.class, () -> Path.from(1, v4, 5).to(2, IpAddress.v6(0, 1), 6));
        assertThrows(IllegalArgumentException.class, () -> Path.from(1, v4, 0).to(2, v4, 6));
        assertThrows(IllegalArgumentException.class, () -> Path.from(1, v4, 5).to(2, v4, 65_536));
    }

    @Test
    void path_asText_hasEthernetAddressesAsPeopleWriteThem() {
        Path path = Path.from(0x0200_0A00_00FFL, IpAddress.v4(0x0A00_0001), 1).to(1, IpAddress.v4(0x0A00_0002), 2);
        assertEquals(
                "Path[localMac=02:00:0a:00:00:ff, remoteMac=00:00:00:00:00:01, local=10.0.0.1, remote=10.0.0.2, "
                        + "localPort=1, remotePort=2]",
                path.toString());
    }
}
