package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.wire.IpAddress;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests writing and reading messages, and messages that are cut or made up. */
class MessageReaderTest {
    private static MessageReader read(MessageWriter message, int lengthBytes) {
        return new MessageReader(message.buffer(), lengthBytes);
    }

    private static MessageWriter example() {
        return new MessageWriter(MessageKind.WELCOME)
                .putInt(-7)
                .putLong(Long.MIN_VALUE)
                .putText("Grüße")
                .putAddress(IpAddress.parse("fd77::1"))
                .putAddress(IpAddress.parse("10.0.0.1"))
                .putInt(65_535);
    }

    private static void readExample(MessageReader message) {
        message.getInt();
        message.getInt();
        message.getLong();
        message.getText();
        message.getAddress();
        message.getAddress();
        message.getPort();
    }

    @Test
    void read_wholeMessage_isAsWritten() {
        MessageReader message = read(example(), example().lengthBytes());
        assertEquals(MessageKind.WELCOME, MessageKind.of(message.getInt()));
        assertEquals(-7, message.getInt());
        assertEquals(Long.MIN_VALUE, message.getLong());
        assertEquals("Grüße", message.getText());
        assertEquals(IpAddress.parse("fd77::1"), message.getAddress());
        assertEquals(IpAddress.parse("10.0.0.1"), message.getAddress());
        assertFalse(message.isWhole());
        assertEquals(65_535, message.getPort());
        assertTrue(message.isWhole());
    }

    @Test
    void read_cutAnywhere_isNotWhole() {
        for (int length = 0; length < example().lengthBytes(); length++) {
            MessageReader message = read(example(), length);
            readExample(message);
            assertFalse(message.isWhole(), "cut at " + length);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 65_536})
    void getPort_outsideOfPorts_isBad(int port) {
        MessageWriter message = new MessageWriter(MessageKind.CLAIM).putInt(port);
        MessageReader reader = read(message, message.lengthBytes());
        reader.getInt();
        reader.getPort();
        assertFalse(reader.isWhole());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 3, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void getCount_moreThanCanBeThere_isNone(int count) {
        MessageWriter message =
                new MessageWriter(MessageKind.MACS).putInt(count).putLong(1).putLong(2);
        MessageReader reader = read(message, message.lengthBytes());
        reader.getInt();
        assertEquals(0, reader.getCount(Long.BYTES));
        assertFalse(reader.isWhole());
    }

    @Test
    void putText_longerThanAMessage_isCut() {
        MessageWriter message = new MessageWriter(MessageKind.REFUSED)
                .putText("x".repeat(10_000))
                .putInt(1);
        MessageReader reader = read(message, message.lengthBytes());
        reader.getInt();
        assertEquals(4096 - 8, reader.getText().length());
        assertTrue(reader.isWhole());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void read_randomBytes_neverThrows(long seed) {
        Random random = new Random(seed);
        byte[] bytes = new byte[128];
        for (int i = 0; i < 100_000; i++) {
            random.nextBytes(bytes);
            // Small numbers are counts and lengths that may be possible.
            for (int j = 3; j < bytes.length; j += 4) {
                if (random.nextBoolean()) {
                    bytes[j] = 0;
                    bytes[j - 1] = 0;
                    bytes[j - 2] = 0;
                }
            }
            MessageReader message = new MessageReader(new UnsafeBuffer(bytes), random.nextInt(140));
            readExample(message);
            AddressesMessage.read(message);
            PathMessage.read(message);
        }
    }
}
