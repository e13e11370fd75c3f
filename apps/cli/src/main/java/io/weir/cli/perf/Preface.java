package io.weir.cli.perf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/**
 * The first bytes of each connection to a server: what the connection is for.
 *
 * @param isControl whether it is a test's control connection
 * @param testId the test that a data connection belongs to
 * @param stream which of its streams
 */
record Preface(boolean isControl, String testId, int stream) {
    /** How long every preface is. */
    static final int BYTES = 44;

    private static final int MAGIC = 0x57_50_46_31;
    private static final int ID_BYTES = 32;
    private static final int CONTROL = 0;
    private static final int DATA = 1;

    /** {@return the preface of a control connection, whose test is not known yet} */
    static Preface control() {
        return new Preface(true, "0".repeat(ID_BYTES), 0);
    }

    /** {@return the preface of a stream} */
    static Preface data(String testId, int stream) {
        return new Preface(false, testId, stream);
    }

    byte[] encoded() {
        return ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .putInt(isControl ? CONTROL : DATA)
                .putInt(stream)
                .put(testId.getBytes(StandardCharsets.US_ASCII))
                .array();
    }

    /** {@return what {@link #BYTES} bytes say, or null when they are no preface} */
    static Preface decode(DirectBuffer buffer, int index) {
        byte[] bytes = new byte[BYTES];
        buffer.getBytes(index, bytes);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int magic = in.getInt();
        int kind = in.getInt();
        int stream = in.getInt();
        if (magic != MAGIC || (kind != CONTROL && kind != DATA) || stream < 0) {
            return null;
        }
        return new Preface(
                kind == CONTROL, new String(bytes, BYTES - ID_BYTES, ID_BYTES, StandardCharsets.US_ASCII), stream);
    }
}
