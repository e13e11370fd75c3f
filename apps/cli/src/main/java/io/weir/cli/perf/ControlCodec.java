package io.weir.cli.perf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Control messages as bytes: four of length, then that many of JSON. What comes from the peer is checked here, once.
 */
final class ControlCodec {
    /**
     * The longest message: a report of every stream that a test may have, both ways, each of 4 KiB: its figures are
     * some 600 bytes, and why it failed is a sentence.
     */
    static final int MESSAGE_BYTES_MAX = (2 * TestSpec.PARALLEL_MAX) << 12;

    /** What comes before the JSON. */
    static final int LENGTH_BYTES = Integer.BYTES;

    private static final int NESTING_MAX = 16;
    private static final ObjectMapper MAPPER = newMapper();

    private ControlCodec() {}

    private static ObjectMapper newMapper() {
        ObjectMapper mapper = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
        mapper.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(NESTING_MAX)
                        .build());
        return mapper;
    }

    static byte[] encode(ControlMessage message) {
        byte[] json;
        try {
            json = MAPPER.writeValueAsString(message).getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("our message is not JSON", e);
        }
        return ByteBuffer.allocate(LENGTH_BYTES + json.length)
                .putInt(json.length)
                .put(json)
                .array();
    }

    /** {@return the length, if a message may have it} */
    static int requireLength(int length) throws ProtocolException {
        if (length < 1 || length > MESSAGE_BYTES_MAX) {
            throw new ProtocolException("a control message of " + Integer.toUnsignedString(length)
                    + " bytes is outside 1.." + MESSAGE_BYTES_MAX);
        }
        return length;
    }

    /**
     * {@return the message}
     *
     * @throws ProtocolException if it is none that this end understands; the message says why
     */
    static ControlMessage decode(byte[] json) throws ProtocolException {
        try {
            JsonNode tree = MAPPER.readTree(json);
            int version = tree.path("version").asInt(0);
            if (version != ControlMessage.VERSION) {
                throw new ProtocolException(
                        "control messages of version " + version + " are not understood; this end has "
                                + ControlMessage.VERSION + ", so run the same release at both ends");
            }
            ControlMessage message = MAPPER.treeToValue(tree, ControlMessage.class);
            requireComplete(message);
            return message;
        } catch (ValueInstantiationException e) {
            throw new ProtocolException(
                    e.getCause() instanceof ConfigException wrong ? wrong.getMessage() : e.getOriginalMessage());
        } catch (IOException e) {
            throw e instanceof ProtocolException told ? told : malformed(e);
        }
    }

    private static ProtocolException malformed(IOException e) {
        String reason = e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
        return new ProtocolException("a control message is malformed: " + reason);
    }

    private static void requireComplete(ControlMessage message) throws ProtocolException {
        boolean isComplete = message.type() != null
                && switch (message.type()) {
                    case REQUEST -> message.spec() != null;
                    case REFUSED, FAILED -> message.reason() != null;
                    case REPORT -> message.report() != null;
                    case PORT -> message.port() != null;
                    case ACCEPTED, START, ALIVE, KERNEL -> true;
                };
        if (!isComplete) {
            throw new ProtocolException("a control message lacks what its type needs: " + message.type());
        }
    }
}
