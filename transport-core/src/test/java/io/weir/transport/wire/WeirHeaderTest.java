package io.weir.transport.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests what {@link WeirHeader} makes of frames that come back in a message of the network. */
class WeirHeaderTest {
    private static final long TAG = 0x0123_4567_89AB_CDEFL;

    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(WeirHeader.BYTES));

    @Test
    void quotedTag_beginningOfAFrame_isItsTag() {
        for (FrameType type : FrameType.values()) {
            WeirHeader.writePrefix(buffer, 0, type, 0, TAG);
            assertEquals(TAG, WeirHeader.quotedTag(buffer, 0, WeirHeader.BYTES));
            assertEquals(TAG, WeirHeader.quotedTag(buffer, 0, WeirHeader.PREFIX_BYTES));
        }
    }

    @Test
    void quotedTag_cutBeforeItsEnd_isNone() {
        WeirHeader.writePrefix(buffer, 0, FrameType.OPEN, 0, TAG);
        assertEquals(WeirHeader.NO_TAG, WeirHeader.quotedTag(buffer, 0, WeirHeader.PREFIX_BYTES - 1));
        assertEquals(WeirHeader.NO_TAG, WeirHeader.quotedTag(buffer, 0, 0));
    }

    @Test
    void quotedTag_otherVersion_isNone() {
        WeirHeader.writePrefix(buffer, 0, FrameType.OPEN, 0, TAG);
        buffer.putByte(0, (byte) (buffer.getByte(0) ^ 0x10));
        assertEquals(WeirHeader.NO_TAG, WeirHeader.quotedTag(buffer, 0, WeirHeader.BYTES));
    }
}
