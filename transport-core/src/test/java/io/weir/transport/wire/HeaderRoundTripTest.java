package io.weir.transport.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Slots;
import java.util.EnumMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Tests every header class: what is written is read, at the offsets that docs/WIRE.md gives, and nothing beyond the
 * end.
 */
class HeaderRoundTripTest {
    private static final long TAG = 0x0123_4567_89AB_CDEFL;
    private static final long BIG = 0xFEDC_BA98_7654_3210L;
    private static final int AT = 3;

    private static UnsafeBuffer slot(int length) {
        return Slots.exact(AT + length);
    }

    private static int u8(UnsafeBuffer buffer, int offset) {
        return buffer.getByte(AT + offset) & 0xFF;
    }

    private static void requirePrefix(UnsafeBuffer buffer, FrameType type, int flags) {
        assertEquals(1, WeirHeader.version(buffer, AT));
        assertEquals(type, WeirHeader.type(buffer, AT));
        assertEquals(flags, WeirHeader.flags(buffer, AT));
        assertEquals(TAG, WeirHeader.tag(buffer, AT));
        assertEquals(1 << 4 | type.code(), u8(buffer, 0));
        assertEquals(0x01, u8(buffer, 2), "the tag begins at byte 2");
        assertEquals(0xEF, u8(buffer, 9), "and ends at byte 9");
    }

    @Test
    void credit_written_isReadBack() {
        UnsafeBuffer buffer = slot(CreditHeader.BYTES);
        CreditHeader.write(buffer, AT, TAG, CreditHeader.FLAG_STANDING, BIG, 0x1_0000_0005L);
        requirePrefix(buffer, FrameType.CREDIT, CreditHeader.FLAG_STANDING);
        assertEquals((int) BIG, CreditHeader.sequence(buffer, AT));
        assertEquals(5, CreditHeader.ackLow32(buffer, AT));
        assertEquals(0x76, u8(buffer, 10));
        assertEquals(5, u8(buffer, 17));
        assertTrue(WholeFrame.isValid(FrameType.CREDIT, buffer, AT, CreditHeader.BYTES));
        assertTrue(WholeFrame.isValid(FrameType.CREDIT, buffer, AT, CreditHeader.BYTES + 8), "padding");
    }

    @Test
    void data_written_isReadBack() {
        UnsafeBuffer buffer = data(100);
        requirePrefix(buffer, FrameType.DATA, DataHeader.FLAG_FIN);
        assertEquals(0x0A0B_0C0D, WeirHeader.packetNumber(buffer, AT));
        assertEquals(0x76543210, DataHeader.creditSequence(buffer, AT));
        assertEquals(0x2345, DataHeader.creditsWasted(buffer, AT));
        assertEquals(0x1122_3344_5566_7788L, DataHeader.streamOffset(buffer, AT));
        assertEquals(100, DataHeader.payloadBytes(buffer, AT));
        assertEquals(0xFFFF_FFFFL, DataHeader.backlogBytes(buffer, AT), "saturated");
        assertEquals(0x89AB_CDEF, DataHeader.t1(buffer, AT));
        assertEquals(0x0A, u8(buffer, 10), "packet number");
        assertEquals(0x76, u8(buffer, 18), "credit sequence");
        assertEquals(0x23, u8(buffer, 22), "wasted");
        assertEquals(0x11, u8(buffer, 24), "stream offset");
        assertEquals(100, u8(buffer, 33), "length");
        assertEquals(0xFF, u8(buffer, 34), "backlog");
        assertEquals(0x89, u8(buffer, 38), "t1");
        assertEquals(0xFF, u8(buffer, 42), "window, not set");
        assertEquals(0, u8(buffer, 46), "marks");
    }

    @Test
    void data_granted_isReadBackAndKeepsItsOtherFlags() {
        UnsafeBuffer buffer = data(100);
        DataHeader.grant(buffer, AT, BIG);
        requirePrefix(buffer, FrameType.DATA, DataHeader.FLAG_FIN | DataHeader.FLAG_GRANT);
        assertEquals((int) BIG, DataHeader.grantedSequence(buffer, AT));
        assertEquals(0x76, u8(buffer, 42), "in the place of the window");
        assertEquals(0, u8(buffer, 46), "marks");
    }

    private static UnsafeBuffer data(int payloadBytes) {
        UnsafeBuffer buffer = slot(DataHeader.BYTES + payloadBytes);
        DataHeader.write(buffer, AT, TAG, DataHeader.FLAG_FIN, 0x1122_3344_5566_7788L, payloadBytes);
        WeirHeader.packetNumber(buffer, AT, 0xF_0A0B_0C0DL);
        DataHeader.credit(buffer, AT, BIG, 0x1_2345);
        DataHeader.backlogBytes(buffer, AT, 1L << 40);
        DataHeader.t1(buffer, AT, TAG);
        DataHeader.seal(buffer, AT, new Crc32c());
        return buffer;
    }

    /** Data on which an acknowledgement with so many ranges rides, and a credit. */
    private static UnsafeBuffer ridden(int ranges, int payloadBytes) {
        int bytes = AckHeader.ridingBytes(ranges) + DataHeader.CREDIT_BYTES + payloadBytes;
        UnsafeBuffer buffer = slot(DataHeader.BYTES + bytes);
        DataHeader.write(buffer, AT, TAG, DataHeader.FLAG_ACK | DataHeader.FLAG_CREDIT, 77, payloadBytes);
        int ackAt = AckHeader.ridingAt(AT);
        AckHeader.writeRiding(buffer, ackAt, 0x1122_3344_5566_7788L, 123_456, BIG);
        AckHeader.stamps(buffer, ackAt, 1, 2, 3);
        AckHeader.samples(buffer, ackAt, 4, 5);
        for (int i = 0; i < ranges; i++) {
            AckHeader.addRange(buffer, ackAt, 10L * i + 5, 2);
        }
        DataHeader.writeCredit(buffer, AT + DataHeader.BYTES + AckHeader.ridingBytes(ranges), -2, 64);
        DataHeader.seal(buffer, AT, new Crc32c());
        return buffer;
    }

    @Test
    void data_withRiders_areReadBack() {
        UnsafeBuffer buffer = ridden(2, 30);
        int ackAt = AckHeader.ridingAt(AT);
        assertTrue(WholeFrame.isValid(FrameType.DATA, buffer, AT, DataHeader.BYTES + 42 + 16 + 8 + 30));
        assertEquals(0x11, u8(buffer, 48), "the ack offset comes first");
        assertEquals(0x1122_3344_5566_7788L, AckHeader.ackOffset(buffer, ackAt));
        assertEquals(123_456, AckHeader.receiveWindowBytes(buffer, ackAt));
        assertEquals(1, AckHeader.t1(buffer, ackAt));
        assertEquals(3, AckHeader.t3(buffer, ackAt));
        assertTrue(AckHeader.hasTimes(buffer, ackAt));
        assertEquals(5, AckHeader.frameCount(buffer, ackAt));
        assertEquals(15, AckHeader.rangeGapBytes(buffer, ackAt, 1));
        assertEquals(-2, DataHeader.riddenSequence(buffer, AT));
        assertEquals(64, DataHeader.riddenFrames(buffer, AT));
        assertEquals(AT + 48 + 42 + 16 + 8, DataHeader.payloadAt(buffer, AT));
        assertEquals(77, DataHeader.streamOffset(buffer, AT));
    }

    @Test
    void ack_written_isReadBack() {
        UnsafeBuffer buffer = ack(2);
        requirePrefix(buffer, FrameType.ACK, AckHeader.FLAG_TIMES);
        assertEquals(0x1122_3344_5566_7788L, AckHeader.ackOffset(buffer, AT));
        assertEquals(123_456, AckHeader.receiveWindowBytes(buffer, AT));
        assertEquals(0x76543210, AckHeader.largestPacketNumber(buffer, AT));
        assertEquals(1, AckHeader.t1(buffer, AT));
        assertEquals(2, AckHeader.t2(buffer, AT));
        assertEquals(3, AckHeader.t3(buffer, AT));
        assertEquals(4, AckHeader.ceFrameCount(buffer, AT));
        assertEquals(0xFFFF, AckHeader.frameCount(buffer, AT), "saturated");
        assertEquals(2, AckHeader.rangeCount(buffer, AT));
        assertEquals(100, AckHeader.rangeGapBytes(buffer, AT, 0));
        assertEquals(50, AckHeader.rangeBytes(buffer, AT, 0));
        assertEquals(0xFFFF_FFFFL, AckHeader.rangeGapBytes(buffer, AT, 1));
        assertEquals(76, AckHeader.length(buffer, AT));
        assertEquals(0x11, u8(buffer, 18), "ack offset");
        assertEquals(0x76, u8(buffer, 30), "largest packet number");
        assertEquals(1, u8(buffer, 37), "t1");
        assertEquals(2, u8(buffer, 41), "t2");
        assertEquals(3, u8(buffer, 45), "t3");
        assertEquals(4, u8(buffer, 49), "CE frames");
        assertEquals(2, u8(buffer, 52), "range count");
        assertEquals(0xFF, u8(buffer, 54), "window, not set");
        assertEquals(0, u8(buffer, 58), "marks");
    }

    private static UnsafeBuffer ack(int ranges) {
        UnsafeBuffer buffer = slot(AckHeader.BYTES + ranges * AckHeader.RANGE_BYTES);
        AckHeader.write(buffer, AT, TAG, 0x1122_3344_5566_7788L, 123_456, BIG);
        WeirHeader.packetNumber(buffer, AT, 7);
        AckHeader.times(buffer, AT, 1, 2, 3);
        AckHeader.samples(buffer, AT, 4, 1 << 20);
        for (int i = 0; i < ranges; i++) {
            AckHeader.addRange(buffer, AT, i == 0 ? 100 : 0xFFFF_FFFFL, 50 + i);
        }
        AckHeader.seal(buffer, AT, new Crc32c());
        return buffer;
    }

    @Test
    void request_written_isReadBack() {
        UnsafeBuffer buffer = slot(RequestHeader.BYTES);
        RequestHeader.write(buffer, AT, RequestHeader.FLAG_CREDITS_ANSWER, TAG, 1L << 33, BIG);
        WeirHeader.packetNumber(buffer, AT, 9);
        requirePrefix(buffer, FrameType.REQUEST, RequestHeader.FLAG_CREDITS_ANSWER);
        assertEquals(0xFFFF_FFFFL, RequestHeader.backlogBytes(buffer, AT));
        assertEquals(0x76543210, RequestHeader.creditSequence(buffer, AT));
        assertEquals(0xFF, u8(buffer, 14));
        assertEquals(0x10, u8(buffer, 21));
    }

    @Test
    void stop_written_isReadBack() {
        UnsafeBuffer buffer = slot(StopHeader.BYTES);
        StopHeader.write(buffer, AT, TAG, BIG);
        requirePrefix(buffer, FrameType.STOP, 0);
        assertEquals(0x76543210, StopHeader.creditSequence(buffer, AT));
        assertEquals(0x10, u8(buffer, 17));
    }

    @Test
    void open_written_isReadBackAndPaddedWithZeros() {
        UnsafeBuffer buffer = slot(OpenHeader.BYTES);
        OpenHeader.write(buffer, AT, OpenHeader.FLAG_COOKIE, TAG);
        OpenHeader.offer(buffer, AT, 5, 0x8002, 9000);
        OpenHeader.amounts(buffer, AT, 70_000, 80_000);
        OpenHeader.roundTripNanos(buffer, AT, 0x0102_0304);
        Cookie.write(buffer, OpenHeader.cookieAt(AT), 77, BIG);
        requirePrefix(buffer, FrameType.OPEN, OpenHeader.FLAG_COOKIE);
        assertEquals(5, OpenHeader.protocol(buffer, AT));
        assertEquals(0x8002, OpenHeader.protocols(buffer, AT));
        assertEquals(9000, OpenHeader.mtuBytes(buffer, AT));
        assertEquals(70_000, OpenHeader.receiveWindowBytes(buffer, AT));
        assertEquals(80_000, OpenHeader.backlogBytes(buffer, AT));
        assertEquals(77, Cookie.issuedSeconds(buffer, OpenHeader.cookieAt(AT)));
        assertEquals(BIG, Cookie.hash(buffer, OpenHeader.cookieAt(AT)));
        assertEquals(5, u8(buffer, 14), "protocol");
        assertEquals(0, u8(buffer, 15));
        assertEquals(0x80, u8(buffer, 16), "protocols");
        assertEquals(77, u8(buffer, 31), "cookie");
        assertEquals(0x10, u8(buffer, 39), "the cookie's end");
        assertEquals(0, u8(buffer, 40), "frames");
        assertEquals(0x0102_0304, OpenHeader.roundTripNanos(buffer, AT));
        assertEquals(1, u8(buffer, 41), "round trip");
        for (int i = 45; i < 48; i++) {
            assertEquals(0, u8(buffer, i));
        }
        OpenHeader.roundTripNanos(buffer, AT, 1L << 33);
        assertEquals(0xFFFF_FFFFL, OpenHeader.roundTripNanos(buffer, AT));
    }

    @Test
    void accept_written_isReadBack() {
        UnsafeBuffer buffer = slot(AcceptHeader.BYTES);
        AcceptHeader.write(buffer, AT, AcceptHeader.FLAG_CREDIT_REQUEST, TAG, BIG);
        AcceptHeader.choice(buffer, AT, 3, 1500);
        AcceptHeader.amounts(buffer, AT, 1 << 20, 5);
        Cookie.write(buffer, AcceptHeader.tokenAt(AT), 1, TAG);
        requirePrefix(buffer, FrameType.ACCEPT, AcceptHeader.FLAG_CREDIT_REQUEST);
        assertEquals(BIG, AcceptHeader.responderTag(buffer, AT));
        assertEquals(3, AcceptHeader.protocol(buffer, AT));
        assertEquals(1500, AcceptHeader.mtuBytes(buffer, AT));
        assertEquals(1 << 20, AcceptHeader.receiveWindowBytes(buffer, AT));
        assertEquals(5, AcceptHeader.backlogBytes(buffer, AT));
        assertEquals(TAG, Cookie.hash(buffer, AcceptHeader.tokenAt(AT)));
        assertEquals(0xFE, u8(buffer, 14), "responder tag");
        assertEquals(3, u8(buffer, 22), "protocol");
        assertEquals(1, u8(buffer, 37), "token");
        assertEquals(0, u8(buffer, 46));
        assertEquals(0, u8(buffer, 47));
    }

    @Test
    void challengeAndReset_written_areReadBack() {
        UnsafeBuffer challenge = slot(ChallengeHeader.BYTES);
        ChallengeHeader.write(challenge, AT, TAG, 77);
        Cookie.write(challenge, ChallengeHeader.cookieAt(AT), 2, BIG);
        requirePrefix(challenge, FrameType.CHALLENGE, 0);
        assertEquals(77, ChallengeHeader.pauseCode(challenge, AT));
        assertEquals(77, u8(challenge, 26));
        assertEquals(0, WeirHeader.packetNumber(challenge, AT));
        assertEquals(2, u8(challenge, 17));
        UnsafeBuffer reset = slot(ResetHeader.BYTES);
        ResetHeader.write(reset, AT, TAG, ResetHeader.TIMED_OUT);
        requirePrefix(reset, FrameType.RESET, 0);
        assertEquals(ResetHeader.TIMED_OUT, ResetHeader.reason(reset, AT));
        assertEquals(4, u8(reset, 14));
    }

    /** {@return a frame of every type, in memory that ends with it} */
    private static Map<FrameType, UnsafeBuffer> all() {
        Map<FrameType, UnsafeBuffer> frames = new EnumMap<>(FrameType.class);
        UnsafeBuffer credit = slot(CreditHeader.BYTES);
        CreditHeader.write(credit, AT, TAG, 0, 1, 2);
        frames.put(FrameType.CREDIT, credit);
        frames.put(FrameType.DATA, data(37));
        frames.put(FrameType.ACK, ack(2));
        UnsafeBuffer request = slot(RequestHeader.BYTES);
        RequestHeader.write(request, AT, 0, TAG, 1, 2);
        frames.put(FrameType.REQUEST, request);
        UnsafeBuffer stop = slot(StopHeader.BYTES);
        StopHeader.write(stop, AT, TAG, 2);
        frames.put(FrameType.STOP, stop);
        UnsafeBuffer open = slot(OpenHeader.BYTES);
        OpenHeader.write(open, AT, 0, TAG);
        frames.put(FrameType.OPEN, open);
        UnsafeBuffer challenge = slot(ChallengeHeader.BYTES);
        ChallengeHeader.write(challenge, AT, TAG, 77);
        frames.put(FrameType.CHALLENGE, challenge);
        UnsafeBuffer accept = slot(AcceptHeader.BYTES);
        AcceptHeader.write(accept, AT, 0, TAG, BIG);
        frames.put(FrameType.ACCEPT, accept);
        UnsafeBuffer reset = slot(ResetHeader.BYTES);
        ResetHeader.write(reset, AT, TAG, 1);
        frames.put(FrameType.RESET, reset);
        return frames;
    }

    @Test
    void isValid_everyTruncation_isFalseWithoutReadingBeyondTheEnd() {
        Map<FrameType, UnsafeBuffer> frames = all();
        assertEquals(FrameType.values().length, frames.size());
        frames.forEach((type, whole) -> {
            int length = whole.capacity() - AT;
            assertTrue(WholeFrame.isValid(type, whole, AT, length), type.name());
            for (int cut = WeirHeader.PREFIX_BYTES; cut < length; cut++) {
                UnsafeBuffer part = Slots.truncated(whole, AT + cut);
                assertFalse(WholeFrame.isValid(type, part, AT, cut), type + " of " + cut + " B");
            }
        });
    }

    @Test
    void isValid_lengthsThatContradict_isFalse() {
        UnsafeBuffer data = data(37);
        Bytes.put16(data, AT + 32, 38);
        assertFalse(WholeFrame.isValid(FrameType.DATA, data, AT, DataHeader.BYTES + 37));
        Bytes.put16(data, AT + 32, 36);
        assertFalse(WholeFrame.isValid(FrameType.DATA, data, AT, DataHeader.BYTES + 37));
        UnsafeBuffer rider = ridden(1, 3);
        int riderBytes = 42 + 8 + 8 + 3;
        assertTrue(WholeFrame.isValid(FrameType.DATA, rider, AT, DataHeader.BYTES + riderBytes));
        for (int cut = 0; cut < riderBytes; cut++) {
            assertFalse(WholeFrame.isValid(FrameType.DATA, rider, AT, DataHeader.BYTES + cut), "cut to " + cut);
        }
        Bytes.put8(rider, AT + 48 + 34, 2);
        assertFalse(WholeFrame.isValid(FrameType.DATA, rider, AT, DataHeader.BYTES + riderBytes), "a range more");
        Bytes.put8(rider, AT + 48 + 34, 255);
        assertFalse(WholeFrame.isValid(FrameType.DATA, rider, AT, DataHeader.BYTES + riderBytes), "too many ranges");
        Bytes.put8(rider, AT + 48 + 34, 1);
        Bytes.put64(rider, AT + 48, -1);
        assertFalse(WholeFrame.isValid(FrameType.DATA, rider, AT, DataHeader.BYTES + riderBytes), "a negative offset");
        UnsafeBuffer negative = data(0);
        Bytes.put64(negative, AT + 24, -1);
        assertFalse(WholeFrame.isValid(FrameType.DATA, negative, AT, DataHeader.BYTES));
        UnsafeBuffer ack = ack(2);
        Bytes.put8(ack, AT + 52, 1);
        assertFalse(WholeFrame.isValid(FrameType.ACK, ack, AT, AckHeader.BYTES + 16));
        UnsafeBuffer many = slot(AckHeader.BYTES + 9 * AckHeader.RANGE_BYTES);
        AckHeader.write(many, AT, TAG, 0, 0, 0);
        Bytes.put8(many, AT + 52, 9);
        assertFalse(WholeFrame.isValid(FrameType.ACK, many, AT, AckHeader.BYTES + 72), "nine ranges");
    }

    @Test
    void frameType_everyCode_isItselfOrUnknown() {
        for (int code = 0; code < 16; code++) {
            FrameType type = FrameType.of(code);
            if (code >= 1 && code <= 9) {
                assertEquals(code, type.code());
                assertEquals(type, FrameType.of(0xF0 | code), "only the low four bits count");
            } else {
                assertNull(type);
            }
        }
    }

    // ---- what the CRC32C covers

    @Test
    void isIntact_anyImmutableByteOfDataFlipped_isDetected() {
        UnsafeBuffer buffer = data(64);
        Crc32c crc = new Crc32c();
        assertTrue(DataHeader.isIntact(buffer, AT, crc));
        for (int i = 0; i < DataHeader.BYTES + 64; i++) {
            boolean isMutable = i >= 42 && i < 48;
            boolean isLength = i == 32 || i == 33;
            if (isLength) {
                continue; // isValid compares the length with the datagram's before the CRC is looked at
            }
            int bytes = DataHeader.BYTES + 64;
            assertEquals(
                    isMutable,
                    isIntactAfterFlip(
                            buffer,
                            i,
                            () -> DataHeader.isValid(buffer, AT, bytes) && DataHeader.isIntact(buffer, AT, crc)),
                    "byte " + i);
        }
    }

    @Test
    void isIntact_anyByteOfARiderFlipped_isDetected() {
        UnsafeBuffer buffer = ridden(2, 5);
        Crc32c crc = new Crc32c();
        int bytes = 42 + 16 + 8 + 5;
        assertTrue(DataHeader.isIntact(buffer, AT, crc));
        for (int i = DataHeader.BYTES; i < DataHeader.BYTES + bytes; i++) {
            assertFalse(
                    isIntactAfterFlip(
                            buffer,
                            i,
                            () -> DataHeader.isValid(buffer, AT, DataHeader.BYTES + bytes)
                                    && DataHeader.isIntact(buffer, AT, crc)),
                    "byte " + i);
        }
    }

    @Test
    void isIntact_anyImmutableByteOfAnAckFlipped_isDetected() {
        UnsafeBuffer buffer = ack(2);
        Crc32c crc = new Crc32c();
        assertTrue(AckHeader.isIntact(buffer, AT, crc));
        for (int i = 0; i < AckHeader.BYTES + 16; i++) {
            boolean isMutable = i >= 54 && i < 60;
            if (i == 52) {
                continue; // the range count, likewise
            }
            assertEquals(
                    isMutable, isIntactAfterFlip(buffer, i, () -> AckHeader.isIntact(buffer, AT, crc)), "byte " + i);
        }
    }

    private static boolean isIntactAfterFlip(
            UnsafeBuffer buffer, int offset, java.util.function.BooleanSupplier isIntact) {
        int at = AT + offset;
        for (int bit = 0; bit < 8; bit++) {
            buffer.putByte(at, (byte) (buffer.getByte(at) ^ 1 << bit));
            boolean intact = isIntact.getAsBoolean();
            buffer.putByte(at, (byte) (buffer.getByte(at) ^ 1 << bit));
            if (intact) {
                return true;
            }
        }
        return false;
    }

    @Test
    void crc32c_referenceString_isThePublishedValue() {
        UnsafeBuffer buffer = Slots.exact(9);
        buffer.putStringWithoutLengthAscii(0, "123456789");
        assertEquals(0xE3069283, new Crc32c().reset().add(buffer, 0, 9).value());
        assertEquals(
                0xE3069283,
                new Crc32c().reset().add(buffer, 0, 4).add(buffer, 4, 5).value());
    }

    @Test
    void unwrap_anyDistanceBelowHalf_isExact() {
        long[] references = {0, 1, 5_000_000_000L, Long.MAX_VALUE / 2, (1L << 32) - 1, 1L << 31};
        long[] distances = {0, 1, -1, (1L << 31) - 1, -(1L << 31), 12_345};
        for (long reference : references) {
            for (long distance : distances) {
                long value = reference + distance;
                assertEquals(value, Serial.unwrap(reference, (int) value));
            }
        }
    }

    @Test
    void credit_severalFrames_areTheHighBitsOfItsFlags() {
        UnsafeBuffer buffer = slot(CreditHeader.BYTES);
        for (int frames = 1; frames <= CreditHeader.FRAMES_MAX; frames++) {
            int flags = CreditHeader.withFrames(CreditHeader.FLAG_STANDING, frames);
            CreditHeader.write(buffer, AT, TAG, flags, BIG, 0);
            assertEquals(frames, CreditHeader.frames(WeirHeader.flags(buffer, AT)));
            assertTrue(CreditHeader.isStanding(buffer, AT));
            assertEquals(frames - 1, u8(buffer, 1) >>> 2);
        }
        assertEquals(1, CreditHeader.withFrames(CreditHeader.FLAG_STANDING, 1), "one frame: as without counts");
    }

    @Test
    void creditFrames_written_areReadBack() {
        UnsafeBuffer open = slot(OpenHeader.BYTES);
        OpenHeader.write(open, AT, 0, TAG);
        assertEquals(1, OpenHeader.creditFrames(open, AT));
        OpenHeader.creditFrames(open, AT, 16);
        assertEquals(16, OpenHeader.creditFrames(open, AT));
        assertEquals(15, u8(open, 40));
        UnsafeBuffer accept = slot(AcceptHeader.BYTES);
        AcceptHeader.write(accept, AT, 0, TAG, TAG);
        assertEquals(1, AcceptHeader.creditFrames(accept, AT));
        AcceptHeader.creditFrames(accept, AT, 64);
        assertEquals(64, AcceptHeader.creditFrames(accept, AT));
        assertEquals(63, u8(accept, 46));
        UnsafeBuffer ack = ack(0);
        assertEquals(1, AckHeader.creditFrames(ack, AT));
        AckHeader.creditFrames(ack, AT, 2);
        assertEquals(2, AckHeader.creditFrames(ack, AT));
        assertEquals(1, u8(ack, 59));
        assertTrue(AckHeader.isIntact(ack, AT, new Crc32c()), "outside the CRC32C");
        open.putByte(AT + 40, (byte) 0xFF);
        assertEquals(CreditHeader.FRAMES_MAX, OpenHeader.creditFrames(open, AT), "more than a credit can grant");
    }

    @Test
    void data_surplusCredits_areAFlagOfTheirOwn() {
        UnsafeBuffer buffer = data(100);
        assertFalse(DataHeader.tellsSurplus(buffer, AT));
        DataHeader.tellSurplus(buffer, AT);
        assertTrue(DataHeader.tellsSurplus(buffer, AT));
        requirePrefix(buffer, FrameType.DATA, DataHeader.FLAG_FIN | DataHeader.FLAG_SURPLUS);
    }
}
