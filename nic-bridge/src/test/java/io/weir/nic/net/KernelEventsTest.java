package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link KernelEvents} with messages put together here, byte for byte as linux/rtnetlink.h says. */
class KernelEventsTest {
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int AF_BRIDGE = 7;
    private static final byte[] MAC = {2, 0, 0, 0, 0, 9};
    private static final long MAC_NUMBER = 0x02_00_00_00_00_09L;
    private static final int REACHABLE = 2;
    private static final int STALE = 4;
    private static final int FAILED = 0x20;

    @Test
    void read_link_hasFlagsMacAndMtu() {
        byte[] message = message(16, link(0, 7, 0x1 | 0x40), text(3, "eth7"), bytes(1, MAC), number(4, 1400));
        assertEquals(
                List.of(new KernelEvent.Link(false, 7, "eth7", true, true, MAC_NUMBER, 1400, 0, 0, 0)), read(message));
        assertEquals(
                List.of(new KernelEvent.Link(true, 7, "eth7", true, true, MAC_NUMBER, 1400, 0, 0, 0)),
                read(message(17, link(0, 7, 0x41), text(3, "eth7"), bytes(1, MAC), number(4, 1400))));
    }

    @Test
    void read_linkOfAVlan_hasItsNumberAndWhatItIsOn() {
        byte[] kind = text(1, "vlan");
        byte[] id = attribute(1, new byte[] {0x64, 0});
        byte[] message = message(
                16, link(0, 9, 1), text(3, "eth0.100"), number(5, 7), attribute(18, join(kind, attribute(2, id))));
        int vlanId = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 100 : 0x6400;
        assertEquals(
                List.of(new KernelEvent.Link(false, 9, "eth0.100", true, false, 0, 0, 0, 7, vlanId)), read(message));
        byte[] other = message(16, link(0, 9, 1), attribute(18, join(text(1, "macvlan"), attribute(2, id))));
        assertEquals(0, ((KernelEvent.Link) read(other).get(0)).vlanId());
    }

    @Test
    void read_linkOfABridgesPort_isLeftOut() {
        assertEquals(List.of(), read(message(17, link(AF_BRIDGE, 7, 1))));
    }

    @Test
    void read_addresses_ofBothFamilies() throws Exception {
        byte[] local = {10, 0, 0, 1};
        byte[] peer = {10, 0, 0, 2};
        assertEquals(
                List.of(new KernelEvent.Address(false, 3, InetAddress.getByAddress(local), 24, true)),
                read(message(20, address(AF_INET, 24, 0, 3), bytes(1, peer), bytes(2, local))));
        InetAddress six = InetAddress.getByName("fd77::1");
        assertEquals(
                List.of(new KernelEvent.Address(true, 3, six, 64, true)),
                read(message(21, address(AF_INET6, 64, 0, 3), bytes(1, six.getAddress()))));
    }

    @Test
    void read_addressThatIsStillChecked_isNotUsable() throws Exception {
        byte[] six = InetAddress.getByName("fd77::1").getAddress();
        int tentative = 0x40;
        int optimistic = 0x04;
        assertFalse(((KernelEvent.Address) read(message(20, address(AF_INET6, 64, tentative, 3), bytes(1, six)))
                        .get(0))
                .isUsable());
        assertFalse(((KernelEvent.Address)
                        read(message(20, address(AF_INET6, 64, 0, 3), bytes(1, six), number(8, tentative)))
                                .get(0))
                .isUsable());
        assertTrue(((KernelEvent.Address)
                        read(message(20, address(AF_INET6, 64, 0, 3), bytes(1, six), number(8, tentative | optimistic)))
                                .get(0))
                .isUsable());
    }

    @Test
    void read_neighbour_isUsableByItsState() throws Exception {
        InetAddress address = InetAddress.getByName("10.0.0.9");
        for (int state : new int[] {REACHABLE, STALE, 0x08, 0x10, 0x40, 0x80}) {
            KernelEvent.Neighbour known = neighbour(28, state, bytes(1, address.getAddress()), bytes(2, MAC));
            assertEquals(address, known.address());
            assertEquals(MAC_NUMBER, known.macAddress());
            assertTrue(known.isUsable(), "state " + state);
        }
        for (int state : new int[] {0, 1, FAILED}) {
            assertFalse(
                    neighbour(28, state, bytes(1, address.getAddress()), bytes(2, MAC))
                            .isUsable(),
                    "state " + state);
        }
        assertFalse(neighbour(28, REACHABLE, bytes(1, address.getAddress())).isUsable(), "no Ethernet address");
        assertFalse(
                neighbour(29, REACHABLE, bytes(1, address.getAddress()), bytes(2, MAC))
                        .isUsable(),
                "deleted");
    }

    @Test
    void read_routes_ofIpOnly() {
        byte[] body = new byte[12];
        body[0] = AF_INET6;
        assertEquals(List.of(new KernelEvent.Route(false)), read(message(24, body)));
        body[0] = (byte) 129;
        assertEquals(List.of(), read(message(25, body)));
    }

    @Test
    void read_severalMessages_areAllRead() {
        byte[] both = join(message(16, link(0, 1, 1)), message(3, new byte[4]), message(16, link(0, 2, 1)));
        assertEquals(2, read(both).size());
    }

    @Test
    void read_addressOfAnotherLength_isLeftOut() {
        for (int length : new int[] {0, 3, 5, 16, 64}) {
            List<KernelEvent> events = new ArrayList<>();
            byte[] bytes = message(20, address(AF_INET, 24, 0, 3), bytes(2, new byte[length]));
            assertFalse(KernelEvents.read(new UnsafeBuffer(bytes), bytes.length, events::add), "length " + length);
            assertEquals(List.of(), events);
        }
    }

    @Test
    void read_truncatedAnywhere_readsNothingBeyondAndSaysSo() {
        byte[] whole = message(
                16, link(0, 7, 1), text(3, "eth7"), attribute(18, join(text(1, "vlan"), attribute(2, number(1, 5)))));
        for (int length = 1; length < whole.length; length++) {
            List<KernelEvent> events = new ArrayList<>();
            // As long as what is left: a read beyond it is caught by the buffer's bounds check.
            UnsafeBuffer part = new UnsafeBuffer(Arrays.copyOf(whole, length));
            assertFalse(KernelEvents.read(part, length, events::add), "length " + length);
            assertEquals(List.of(), events, "length " + length);
        }
    }

    @Test
    void read_bodyShorterThanItsType_isLeftOut() {
        for (int type : new int[] {16, 17, 20, 21, 24, 25, 28, 29}) {
            for (int length = 0; length < 8; length++) {
                List<KernelEvent> events = new ArrayList<>();
                byte[] bytes = message(type, new byte[length]);
                assertFalse(KernelEvents.read(new UnsafeBuffer(bytes), bytes.length, events::add));
                assertEquals(List.of(), events);
            }
        }
    }

    @Test
    void read_hostileLengths_endTheReading() {
        for (int length :
                new int[] {Integer.MIN_VALUE, -1, 0, 1, 15, 17, 1 << 20, Integer.MAX_VALUE - 2, Integer.MAX_VALUE}) {
            byte[] bytes = new byte[16];
            ByteBuffer.wrap(bytes)
                    .order(ByteOrder.nativeOrder())
                    .putInt(0, length)
                    .putShort(4, (short) 16);
            assertFalse(KernelEvents.read(new UnsafeBuffer(bytes), bytes.length, event -> {}), "length " + length);
        }
    }

    @Test
    void read_anyBytes_neverFails() {
        Random random = new Random(15);
        byte[] whole = join(
                message(
                        16,
                        link(0, 7, 1),
                        text(3, "eth7"),
                        attribute(18, join(text(1, "vlan"), attribute(2, number(1, 5))))),
                message(28, neighbourBody(AF_INET, 3, REACHABLE), bytes(1, new byte[4]), bytes(2, MAC)),
                message(20, address(AF_INET6, 64, 0, 3), bytes(1, new byte[16])));
        for (int i = 0; i < 100_000; i++) {
            byte[] changed = whole.clone();
            for (int j = random.nextInt(4); j >= 0; j--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            }
            int length = random.nextInt(changed.length + 1);
            KernelEvents.read(new UnsafeBuffer(Arrays.copyOf(changed, length)), length, event -> {});
        }
    }

    private static KernelEvent.Neighbour neighbour(int type, int state, byte[]... attributes) {
        byte[][] parts = new byte[attributes.length + 1][];
        parts[0] = neighbourBody(AF_INET, 3, state);
        System.arraycopy(attributes, 0, parts, 1, attributes.length);
        return (KernelEvent.Neighbour) read(message(type, parts)).get(0);
    }

    private static List<KernelEvent> read(byte[] bytes) {
        List<KernelEvent> events = new ArrayList<>();
        assertTrue(KernelEvents.read(new UnsafeBuffer(bytes), bytes.length, events::add));
        return events;
    }

    private static byte[] message(int type, byte[]... parts) {
        byte[] payload = join(parts);
        ByteBuffer message = buffer((16 + payload.length + 3) & ~3);
        message.putInt(16 + payload.length)
                .putShort((short) type)
                .putShort((short) 0)
                .putInt(0)
                .putInt(0);
        return copy(message.put(payload));
    }

    private static byte[] link(int family, int index, int flags) {
        return copy(buffer(16)
                .put((byte) family)
                .put((byte) 0)
                .putShort((short) 1)
                .putInt(index)
                .putInt(flags));
    }

    private static byte[] address(int family, int prefixBits, int flags, int index) {
        return copy(buffer(8)
                .put((byte) family)
                .put((byte) prefixBits)
                .put((byte) flags)
                .put((byte) 0)
                .putInt(index));
    }

    private static byte[] neighbourBody(int family, int index, int state) {
        return copy(buffer(12).put((byte) family).put(new byte[3]).putInt(index).putShort((short) state));
    }

    private static byte[] text(int type, String text) {
        return attribute(type, (text + "\0").getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] number(int type, int value) {
        return attribute(type, copy(buffer(4).putInt(value)));
    }

    private static byte[] bytes(int type, byte[] value) {
        return attribute(type, value);
    }

    private static byte[] attribute(int type, byte[] value) {
        ByteBuffer attribute = buffer((4 + value.length + 3) & ~3);
        return copy(attribute
                .putShort((short) (4 + value.length))
                .putShort((short) type)
                .put(value));
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }

    private static byte[] copy(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.capacity()];
        buffer.get(0, bytes);
        return bytes;
    }

    private static ByteBuffer buffer(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.nativeOrder());
    }
}
