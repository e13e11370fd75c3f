package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Tests {@link NetlinkMessage}. */
class NetlinkMessageTest {
    @Test
    void attribute_afterOneOfOddLength_isFoundAtTheNextWord() {
        ByteBuffer bytes = ByteBuffer.allocate(24).order(ByteOrder.nativeOrder());
        bytes.putInt(0x01020304);
        bytes.putShort((short) 7)
                .putShort((short) 3)
                .put(new byte[] {'e', '0', 0})
                .put((byte) 0);
        bytes.putShort((short) 8).putShort((short) 4).putInt(1500);
        NetlinkMessage message = new NetlinkMessage(bytes.array(), 4);
        assertEquals(0x01020304, message.bodyInt(0));
        assertEquals("e0", message.attributeText(3));
        assertEquals(1500, message.attributeInt(4, 0));
        assertNull(message.attribute(9));
    }

    @Test
    void attribute_longerThanTheMessage_isLeftOut() {
        ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
        bytes.putShort((short) 200).putShort((short) 3);
        assertNull(new NetlinkMessage(bytes.array(), 0).attribute(3));
    }

    @Test
    void nested_flagInTheType_isIgnored() {
        ByteBuffer bytes = ByteBuffer.allocate(12).order(ByteOrder.nativeOrder());
        bytes.putShort((short) 12).putShort((short) (43 | 0x8000));
        bytes.putShort((short) 5).putShort((short) 2).put((byte) 1);
        assertArrayEquals(
                new byte[] {1}, new NetlinkMessage(bytes.array(), 0).nested(43).get(2));
    }
}
