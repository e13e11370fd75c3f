package io.weir.transport.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests what {@link OpenHeader} makes of openings that come back in a message of the network. */
class OpenHeaderTest {
    private static final long TAG = 0x0123_4567_89AB_CDEFL;

    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(WeirHeader.BYTES));

    @Test
    void quotedTag_beginningOfAnOpening_isItsTag() {
        WeirHeader.writePrefix(buffer, 0, FrameType.OPEN, 0, TAG);
        assertEquals(TAG, OpenHeader.quotedTag(buffer, 0, WeirHeader.BYTES));
        assertEquals(TAG, OpenHeader.quotedTag(buffer, 0, WeirHeader.PREFIX_BYTES));
    }

    @Test
    void quotedTag_cutBeforeItsEnd_isNone() {
        WeirHeader.writePrefix(buffer, 0, FrameType.OPEN, 0, TAG);
        assertEquals(OpenHeader.NO_TAG, OpenHeader.quotedTag(buffer, 0, WeirHeader.PREFIX_BYTES - 1));
        assertEquals(OpenHeader.NO_TAG, OpenHeader.quotedTag(buffer, 0, 0));
    }

    @Test
    void quotedTag_otherFrameOrVersion_isNone() {
        WeirHeader.writePrefix(buffer, 0, FrameType.DATA, 0, TAG);
        assertEquals(OpenHeader.NO_TAG, OpenHeader.quotedTag(buffer, 0, WeirHeader.BYTES));
        WeirHeader.writePrefix(buffer, 0, FrameType.OPEN, 0, TAG);
        buffer.putByte(0, (byte) (buffer.getByte(0) ^ 0x10));
        assertEquals(OpenHeader.NO_TAG, OpenHeader.quotedTag(buffer, 0, WeirHeader.BYTES));
    }
}
