package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ProtocolException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests what the two ends of a test say to each other. */
class NegotiationTest {
    private static ControlMessage decode(String json) throws ProtocolException {
        return ControlCodec.decode(json.getBytes(StandardCharsets.UTF_8));
    }

    private static void assertRefused(String part, String json) {
        String message =
                assertThrows(ProtocolException.class, () -> decode(json)).getMessage();
        assertTrue(message.contains(part), message);
    }

    private static String request(String spec) {
        return "{\"version\":3,\"type\":\"request\",\"spec\":" + spec + "}";
    }

    @Test
    void decode_ownRequest_isTheSame() throws ProtocolException {
        ControlMessage request = ControlMessage.request(Specs.verified(1_000, Direction.BOTH, -7));
        byte[] bytes = ControlCodec.encode(request);
        assertEquals(bytes.length - ControlCodec.LENGTH_BYTES, new UnsafeBuffer(bytes).getInt(0, ByteOrder.BIG_ENDIAN));
        assertEquals(request, ControlCodec.decode(Arrays.copyOfRange(bytes, ControlCodec.LENGTH_BYTES, bytes.length)));
    }

    @Test
    void decode_otherVersion_isRefusedBeforeAnythingElse() {
        assertRefused("version 4", "{\"version\":4,\"unheard\":{}}");
        assertRefused("version 0", "{}");
        assertRefused("version 0", "");
    }

    @Test
    void decode_notWhatWasAgreed_isRefusedWithTheReason() {
        assertRefused("malformed", "not json");
        assertRefused("unheard", "{\"version\":3,\"type\":\"alive\",\"unheard\":1}");
        assertRefused("malformed", "{\"version\":3,\"type\":\"explode\"}");
        assertRefused("lacks what its type needs", "{\"version\":3}");
        assertRefused("lacks what its type needs", "{\"version\":3,\"type\":\"request\"}");
        assertRefused("lacks what its type needs", "{\"version\":3,\"type\":\"refused\"}");
        assertRefused("lacks what its type needs", "{\"version\":3,\"type\":\"report\"}");
        assertRefused(
                "malformed", "{\"version\":3,\"type\":\"alive\",\"reason\":" + "[".repeat(100) + "]".repeat(100) + "}");
    }

    @Test
    void decode_requestBeyondTheLimits_isRefusedNamingThem() {
        String good = "{\"id\":\"" + Specs.ID + "\",\"kind\":\"bulk\",\"direction\":\"forward\",\"parallel\":1,"
                + "\"lengthBytes\":1,\"timeNanos\":1,\"totalBytes\":0,\"bitrateBps\":0}";
        assertRefused("parallel=1000 is outside 1..128", request(good.replace("\"parallel\":1", "\"parallel\":1000")));
        assertRefused("lengthBytes=-1 is outside", request(good.replace("\"lengthBytes\":1", "\"lengthBytes\":-1")));
        assertRefused("malformed", request(good.replace("\"parallel\":1,", "")));
        assertRefused("malformed", request(good.replace("\"parallel\":1", "\"parallel\":\"x\"")));
    }

    @Test
    void decode_anyBytes_isAMessageOrARefusal() {
        Random random = new Random(5);
        byte[] valid = ControlCodec.encode(ControlMessage.request(Specs.bytes(1)));
        byte[] body = Arrays.copyOfRange(valid, ControlCodec.LENGTH_BYTES, valid.length);
        int refusals = 0;
        for (int i = 0; i < 2_000; i++) {
            byte[] mutant = body.clone();
            mutant[random.nextInt(mutant.length)] = (byte) random.nextInt();
            try {
                ControlCodec.decode(mutant);
            } catch (ProtocolException e) {
                refusals++;
            }
        }
        assertTrue(refusals > 1_000, "only " + refusals + " refusals");
    }

    @Test
    void requireLength_outsideTheLimit_isRefused() throws ProtocolException {
        assertEquals(1, ControlCodec.requireLength(1));
        assertEquals(1 << 20, ControlCodec.requireLength(1 << 20));
        for (int length : new int[] {0, -1, (1 << 20) + 1, Integer.MAX_VALUE}) {
            String message = assertThrows(ProtocolException.class, () -> ControlCodec.requireLength(length))
                    .getMessage();
            assertTrue(message.contains("is outside 1..1048576"), message);
        }
    }

    @Test
    void preface_encoded_isDecodedTheSame() {
        for (Preface preface : new Preface[] {Preface.control(), Preface.data(Specs.ID, 255)}) {
            byte[] bytes = preface.encoded();
            assertEquals(Preface.BYTES, bytes.length);
            assertEquals(preface, Preface.decode(new UnsafeBuffer(bytes), 0));
        }
    }

    @Test
    void preface_wrongMagicKindOrStream_isNone() {
        for (int index : new int[] {0, 3, 7, 8}) {
            byte[] bytes = Preface.data(Specs.ID, 1).encoded();
            bytes[index] = (byte) 0xF0;
            assertNull(Preface.decode(new UnsafeBuffer(bytes), 0), "byte " + index);
        }
    }
}
