package io.weir.transport.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Checksums;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link HeaderTemplate}, {@link Datagram}, {@link EcnField}, {@link FlowFields} and {@link TrafficClass}. */
class DatagramTest {
    private static final Path V4 = Path.from(0x0200_0000_0001L, IpAddress.parse("10.0.0.1"), 1000)
            .to(0x0200_0000_0002L, IpAddress.parse("10.0.0.2"), 2000);
    private static final Path V6 = Path.from(0x0200_0000_0001L, IpAddress.parse("fd00::1"), 1000)
            .to(0x0200_0000_0002L, IpAddress.parse("fd00::2"), 2000);
    private static final int IP = 14;

    private final FramePool pool = new FramePool(4, 2048, true);
    private final Datagram datagram = new Datagram();

    private static Path path(boolean isV6) {
        return isV6 ? V6 : V4;
    }

    private Frame credit(Path path, int paddingBytes) {
        return frame(path, FrameType.CREDIT, Dscp.CREDIT, CreditHeader.BYTES + paddingBytes);
    }

    private Frame frame(Path path, FrameType type, int dscp, int weirBytes) {
        HeaderTemplate template = new HeaderTemplate(path);
        Frame frame = pool.allocate();
        int at = template.begin(frame, 32);
        frame.buffer().setMemory(at, weirBytes, (byte) 0x5A);
        WeirHeader.writePrefix(frame.buffer(), at, type, 0, 77);
        template.finish(frame, weirBytes, dscp, Dscp.ECN_ECT0);
        return frame;
    }

    private static void put8(Frame frame, int offset, int value) {
        frame.buffer().putByte(frame.offset() + offset, (byte) value);
    }

    private static int get8(Frame frame, int offset) {
        return frame.buffer().getByte(frame.offset() + offset) & 0xFF;
    }

    // ---- sizes

    @Test
    void credit_overIpv4_isAMinimumFrameAndPadsTo92() {
        Frame shortest = credit(V4, 0);
        assertEquals(60, shortest.length());
        assertEquals(84, shortest.wireBytes());
        Frame longest = credit(V4, 8);
        assertEquals(68, longest.length());
        assertEquals(92, longest.wireBytes());
    }

    @Test
    void credit_overIpv6_isTwentyBytesLonger() {
        assertEquals(104, credit(V6, 0).wireBytes());
        assertEquals(112, credit(V6, 8).wireBytes());
    }

    // ---- templates and parsing

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void parse_finishedFrame_givesThePathBack(boolean isV6) {
        Path path = path(isV6);
        for (int weirBytes = WeirHeader.PREFIX_BYTES; weirBytes < 80; weirBytes++) {
            Frame frame = frame(path, FrameType.STOP, Dscp.CONTROL, weirBytes);
            assertNull(datagram.parse(frame));
            assertEquals(weirBytes, datagram.weirBytes());
            assertEquals(isV6, datagram.isV6());
            assertEquals(FrameType.STOP, WeirHeader.type(datagram.buffer(), datagram.weirAt()));
            assertEquals(path.mirrored(), datagram.replyPath());
            assertEquals(path.localPort(), datagram.sourcePort());
            assertFalse(datagram.isMarked());
            frame.release();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void parse_anyByteOfIpUdpOrPayloadFlipped_isNotAccepted(boolean isV6) {
        Frame frame = frame(path(isV6), FrameType.STOP, Dscp.CONTROL, 33);
        for (int i = 12; i < frame.length(); i++) {
            // The first eight bytes of IPv6 but the length and next header, and its hop limit, are under no checksum.
            boolean isUnprotected = isV6 && (i == IP || i == IP + 1 || i == IP + 2 || i == IP + 3 || i == IP + 7);
            put8(frame, i, get8(frame, i) ^ 0x04);
            assertEquals(isUnprotected, datagram.parse(frame) == null, "byte " + i);
            put8(frame, i, get8(frame, i) ^ 0x04);
        }
        assertNull(datagram.parse(frame));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void parse_everyTruncation_isMalformed(boolean isV6) {
        Frame frame = frame(path(isV6), FrameType.STOP, Dscp.CONTROL, 33);
        int whole = frame.length();
        for (int length = 0; length < whole; length++) {
            frame.setExtent(frame.offset(), length);
            assertEquals(CounterId.DROP_MALFORMED, datagram.parse(frame), "length " + length);
        }
    }

    @Test
    void parse_paddedByTheLink_isAccepted() {
        Frame frame = frame(V4, FrameType.RESET, Dscp.CONTROL, 15);
        assertEquals(57, frame.length());
        frame.setExtent(frame.offset(), 60);
        assertNull(datagram.parse(frame));
        assertEquals(15, datagram.weirBytes());
    }

    @Test
    void parse_othersTraffic_isNotOurs() {
        Frame arp = frame(V4, FrameType.STOP, Dscp.CONTROL, 33);
        put8(arp, 13, 0x06);
        assertEquals(CounterId.DROP_NOT_OURS, datagram.parse(arp));
        Frame tcp = frame(V4, FrameType.STOP, Dscp.CONTROL, 33);
        put8(tcp, IP + 9, 6);
        assertEquals(CounterId.DROP_NOT_OURS, datagram.parse(tcp));
        Frame options = frame(V4, FrameType.STOP, Dscp.CONTROL, 33);
        put8(options, IP, 0x46);
        assertEquals(CounterId.DROP_NOT_OURS, datagram.parse(options));
        Frame tcp6 = frame(V6, FrameType.STOP, Dscp.CONTROL, 33);
        put8(tcp6, IP + 6, 6);
        assertEquals(CounterId.DROP_NOT_OURS, datagram.parse(tcp6));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void parse_portZero_isMalformed(int at) {
        Frame frame = frame(V4, FrameType.STOP, Dscp.CONTROL, 33);
        put8(frame, IP + 20 + at, 0);
        put8(frame, IP + 20 + at + 1, 0);
        Checksums.repair(frame);
        assertEquals(CounterId.DROP_MALFORMED, datagram.parse(frame));
    }

    @Test
    void parse_fragment_isMalformed() {
        Frame frame = frame(V4, FrameType.STOP, Dscp.CONTROL, 33);
        put8(frame, IP + 6, 0x20);
        Checksums.repair(frame);
        assertEquals(CounterId.DROP_MALFORMED, datagram.parse(frame));
        put8(frame, IP + 6, 0);
        put8(frame, IP + 7, 1);
        Checksums.repair(frame);
        assertEquals(CounterId.DROP_MALFORMED, datagram.parse(frame));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void parse_udpChecksumMissing_ipv4AlonePermitsIt(boolean isV6) {
        Frame frame = frame(path(isV6), FrameType.STOP, Dscp.CONTROL, 33);
        assertNull(datagram.parse(frame));
        assertTrue(datagram.hasUdpChecksum());
        put8(frame, isV6 ? 60 : 40, 0);
        put8(frame, isV6 ? 61 : 41, 0);
        assertEquals(isV6 ? CounterId.DROP_CHECKSUM : null, datagram.parse(frame));
        assertFalse(datagram.hasUdpChecksum());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void finishData_notOnData_leavesTheUdpChecksumOutOverIpv4Alone(boolean isV6) {
        HeaderTemplate template = new HeaderTemplate(path(isV6), ChecksumScope.NOT_ON_DATA, 0);
        Frame frame = pool.allocate();
        int at = template.begin(frame, 0);
        WeirHeader.writePrefix(frame.buffer(), at, FrameType.DATA, 0, 7);
        template.finishData(frame, 60, Dscp.ECN_ECT0);
        assertNull(datagram.parse(frame));
        assertEquals(isV6, datagram.hasUdpChecksum());
        assertEquals(TrafficClass.DATA, TrafficClass.of(frame.buffer(), frame.offset(), frame.length()));
    }

    @Test
    void finish_sumThatWouldBeZero_isSentAsAllOnes() {
        HeaderTemplate template = new HeaderTemplate(V4);
        Frame frame = pool.allocate();
        boolean seen = false;
        for (int i = 0; i < 65_536; i++) {
            int at = template.begin(frame, 0);
            frame.buffer().setMemory(at, 20, (byte) 0);
            Bytes.put16(frame.buffer(), at + 10, i);
            template.finish(frame, 20, Dscp.CONTROL, 0);
            int checksum = Bytes.u16(frame.buffer(), 40);
            assertTrue(checksum != 0);
            seen |= checksum == 0xFFFF;
        }
        assertTrue(seen);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void turn_openingBecomesItsReply_withFreshTtlAndRightChecksums(boolean isV6) {
        Frame frame = frame(path(isV6), FrameType.OPEN, Dscp.DATA, OpenHeader.BYTES);
        put8(frame, IP + (isV6 ? 7 : 8), 2);
        Checksums.repair(frame);
        assertNull(datagram.parse(frame));
        ResetHeader.write(datagram.buffer(), datagram.weirAt(), 5, ResetHeader.REFUSED);
        HeaderTemplate.turn(frame, datagram);
        HeaderTemplate.finishReply(frame, isV6, ResetHeader.BYTES);
        Datagram reply = new Datagram();
        assertNull(reply.parse(frame));
        assertEquals(path(isV6), reply.replyPath());
        assertEquals(ResetHeader.BYTES, reply.weirBytes());
        assertEquals(64, get8(frame, IP + (isV6 ? 7 : 8)));
        assertEquals(TrafficClass.CREDITLESS, TrafficClass.of(frame.buffer(), frame.offset(), frame.length()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, HeaderTemplate.FLOW_LABEL_MAX})
    void finish_flowLabel_standsInTheHeaderOfIpv6NextToTheClass(int flowLabel) {
        HeaderTemplate template = new HeaderTemplate(path(true), ChecksumScope.ALL, flowLabel);
        Frame frame = pool.allocate();
        int at = template.begin(frame, 0);
        WeirHeader.writePrefix(frame.buffer(), at, FrameType.OPEN, 0, 7);
        template.finish(frame, OpenHeader.BYTES, Dscp.DATA, Dscp.ECN_ECT0);
        int octet = Dscp.octet(Dscp.DATA, Dscp.ECN_ECT0);
        assertEquals(0x6000_0000 | octet << 20 | flowLabel, Bytes.i32(frame.buffer(), frame.offset() + IP));
        assertNull(datagram.parse(frame));
        // A reply has its sender's label, and such a sender has none.
        ResetHeader.write(datagram.buffer(), datagram.weirAt(), 5, ResetHeader.REFUSED);
        HeaderTemplate.turn(frame, datagram);
        HeaderTemplate.finishReply(frame, true, ResetHeader.BYTES);
        assertEquals(0, Bytes.i32(frame.buffer(), frame.offset() + IP) & HeaderTemplate.FLOW_LABEL_MAX);
        assertNull(new Datagram().parse(frame));
    }

    // ---- marks

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void mark_packetThatUnderstandsMarks_keepsItIntact(boolean isV6) {
        Frame frame = frame(path(isV6), FrameType.DATA, Dscp.DATA, 60);
        assertTrue(EcnField.mark(frame));
        assertNull(datagram.parse(frame));
        assertTrue(datagram.isMarked());
        assertTrue(EcnField.mark(frame), "again");
        assertNull(datagram.parse(frame));
        assertEquals(TrafficClass.DATA, TrafficClass.of(frame.buffer(), frame.offset(), frame.length()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void mark_packetThatDoesNot_isLeftAlone(boolean isV6) {
        HeaderTemplate template = new HeaderTemplate(path(isV6));
        Frame frame = pool.allocate();
        int at = template.begin(frame, 0);
        WeirHeader.writePrefix(frame.buffer(), at, FrameType.STOP, 0, 7);
        template.finish(frame, 20, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        assertFalse(EcnField.mark(frame));
        assertNull(datagram.parse(frame));
        assertFalse(datagram.isMarked());
    }

    @Test
    void mark_everyOctetOfIpv4_keepsTheHeaderChecksumRight() {
        HeaderTemplate template = new HeaderTemplate(V4);
        Frame frame = pool.allocate();
        for (int dscp = 0; dscp < 64; dscp++) {
            for (int ecn = 1; ecn < 4; ecn++) {
                int at = template.begin(frame, 0);
                frame.buffer().setMemory(at, 20, (byte) dscp);
                template.finish(frame, 20, dscp, ecn);
                assertTrue(EcnField.mark(frame));
                assertNull(datagram.parse(frame));
                assertEquals(Dscp.octet(dscp, Dscp.ECN_CE), get8(frame, IP + 1));
            }
        }
    }

    @Test
    void mark_frameThatIsNotIp_isLeftAlone() {
        Frame frame = frame(V4, FrameType.DATA, Dscp.DATA, 60);
        put8(frame, 13, 0x06);
        assertFalse(EcnField.mark(frame));
        frame.setExtent(frame.offset(), 20);
        assertFalse(EcnField.mark(frame));
    }

    // ---- what a switch sees

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void trafficClass_dscpAndTypeTogether_decide(boolean isV6) {
        for (FrameType type : FrameType.values()) {
            for (int dscp = 0; dscp < 64; dscp++) {
                Frame frame = frame(path(isV6), type, dscp, 60);
                TrafficClass expected = TrafficClass.OTHER;
                if (dscp == Dscp.CREDIT && type == FrameType.CREDIT) {
                    expected = TrafficClass.CREDIT;
                } else if (dscp == Dscp.DATA && type == FrameType.DATA) {
                    expected = TrafficClass.DATA;
                } else if (dscp == Dscp.CONTROL && type != FrameType.CREDIT) {
                    expected = TrafficClass.CREDITLESS;
                }
                assertEquals(
                        expected, TrafficClass.of(frame.buffer(), frame.offset(), frame.length()), type + " " + dscp);
                frame.release();
            }
        }
    }

    @Test
    void trafficClass_otherTrafficOrTooShort_isOther() {
        Frame frame = credit(V4, 0);
        UnsafeBuffer buffer = frame.buffer();
        for (int length = 0; length < HeaderTemplate.BYTES_V4 + WeirHeader.PREFIX_BYTES; length++) {
            assertEquals(TrafficClass.OTHER, TrafficClass.of(buffer, frame.offset(), length));
        }
        put8(frame, HeaderTemplate.BYTES_V4, 2 << 4 | FrameType.CREDIT.code());
        assertEquals(TrafficClass.OTHER, TrafficClass.of(buffer, frame.offset(), frame.length()), "another version");
        Frame tcp = credit(V4, 0);
        put8(tcp, IP + 9, 6);
        assertEquals(TrafficClass.OTHER, TrafficClass.of(tcp.buffer(), tcp.offset(), tcp.length()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void flowFields_bothDirections_areMirrored(boolean isV6) {
        Frame there = frame(path(isV6), FrameType.DATA, Dscp.DATA, 60);
        Frame back = frame(path(isV6).mirrored(), FrameType.CREDIT, Dscp.CREDIT, 18);
        FlowFields one = new FlowFields();
        FlowFields other = new FlowFields();
        one.read(there.buffer(), there.offset(), there.length());
        other.read(back.buffer(), back.offset(), back.length());
        assertEquals(one.source(), other.destination());
        assertEquals(one.destination(), other.source());
        assertEquals(Datagram.PROTOCOL_UDP, one.protocol());
        assertTrue(one.source() != one.destination());
    }

    @Test
    void flowFields_fragment_hasNoPorts() {
        Frame frame = frame(V4, FrameType.DATA, Dscp.DATA, 60);
        put8(frame, IP + 6, 0x20);
        FlowFields fields = new FlowFields();
        fields.read(frame.buffer(), frame.offset(), frame.length());
        assertEquals(V4.local().low(), fields.source());
    }

    @Test
    void flowFields_notIp_areTheEthernetAddresses() {
        Frame frame = frame(V4, FrameType.DATA, Dscp.DATA, 60);
        put8(frame, 13, 0x06);
        FlowFields fields = new FlowFields();
        fields.read(frame.buffer(), frame.offset(), frame.length());
        assertEquals(V4.localMac(), fields.source());
        assertEquals(V4.remoteMac(), fields.destination());
        assertEquals(Ethernet.TYPE_ARP, fields.protocol());
        fields.read(frame.buffer(), frame.offset(), 5);
        assertEquals(0, fields.source());
    }
}
