package io.weir.transport.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link Bytes} next to {@link ByteBuffer}, whose order is the network's. */
class BytesTest {
    private static final int SIZE = 64;

    private final UnsafeBuffer other = new UnsafeBuffer(ByteBuffer.allocateDirect(SIZE));
    private final UnsafeBuffer direct = new UnsafeBuffer(BufferUtil.allocateDirectAligned(SIZE, SIZE));

    @Test
    void put_anyWidth_isBigEndian() {
        ByteBuffer expected = ByteBuffer.allocate(SIZE);
        Bytes.put8(direct, 1, 0xFE);
        Bytes.put16(direct, 3, 0xFEDC);
        Bytes.put32(direct, 9, 0xFEDC_BA98);
        Bytes.put64(direct, 17, 0xFEDC_BA98_7654_3210L);
        Bytes.putSaturated32(direct, 33, 1L << 40);
        expected.put(1, (byte) 0xFE)
                .putShort(3, (short) 0xFEDC)
                .putInt(9, 0xFEDC_BA98)
                .putLong(17, 0xFEDC_BA98_7654_3210L)
                .putInt(33, -1);
        assertArrayEquals(expected.array(), contents(direct));
    }

    @Test
    void get_anyWidth_isWhatWasPut() {
        Bytes.put64(direct, 5, 0xFEDC_BA98_7654_3210L);
        assertEquals(0xFE, Bytes.u8(direct, 5));
        assertEquals(0xDCBA, Bytes.u16(direct, 6));
        assertEquals(0xFEDC_BA98, Bytes.i32(direct, 5));
        assertEquals(0xFEDC_BA98L, Bytes.u32(direct, 5));
        assertEquals(0xFEDC_BA98_7654_3210L, Bytes.i64(direct, 5));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 7, 8, 13, 14, 24, 42, 62})
    void copyFew_anyLength_copiesThatAndNoMore(int length) {
        byte[] source = new byte[SIZE];
        for (int i = 0; i < SIZE; i++) {
            source[i] = (byte) (i + 1);
        }
        other.putBytes(0, source);
        Bytes.copyFew(other, 2, direct, 1, length);
        byte[] expected = new byte[SIZE];
        System.arraycopy(source, 2, expected, 1, length);
        assertArrayEquals(expected, contents(direct));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 7, 8, 13, 14, 24, 42, 62})
    void copyFew_array_copiesAllOfIt(int length) {
        byte[] source = new byte[length];
        for (int i = 0; i < length; i++) {
            source[i] = (byte) (i + 1);
        }
        Bytes.copyFew(source, direct, 1);
        byte[] expected = new byte[SIZE];
        System.arraycopy(source, 0, expected, 1, length);
        assertArrayEquals(expected, contents(direct));
    }

    /** Its address would be taken for one of direct memory. */
    @Test
    void field_bufferOverAnArray_isRefusedBeforeMemoryIsTouched() {
        UnsafeBuffer array = new UnsafeBuffer(new byte[SIZE]);
        assertThrows(IllegalArgumentException.class, () -> Bytes.u8(array, 0));
        assertThrows(IllegalArgumentException.class, () -> Bytes.put64(array, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> Bytes.copyFew(array, 0, direct, 0, 4));
        assertThrows(IllegalArgumentException.class, () -> InternetChecksum.add(0, array, 0, SIZE));
    }

    @Test
    void field_outsideOfTheBuffer_failsWhereAssertionsAreOn() {
        assertThrows(AssertionError.class, () -> Bytes.u8(direct, -1));
        assertThrows(AssertionError.class, () -> Bytes.u8(direct, SIZE));
        assertThrows(AssertionError.class, () -> Bytes.i64(direct, SIZE - 7));
        assertThrows(AssertionError.class, () -> Bytes.put16(direct, SIZE - 1, 0));
        assertThrows(AssertionError.class, () -> Bytes.put32(other, SIZE - 3, 0));
        assertThrows(AssertionError.class, () -> Bytes.copyFew(other, 0, direct, SIZE - 3, 4));
        assertThrows(AssertionError.class, () -> Bytes.copyFew(other, SIZE - 3, direct, 0, 4));
        assertThrows(AssertionError.class, () -> Bytes.copyFew(new byte[4], direct, SIZE - 3));
    }

    @Test
    void begin_slotWithoutRoomForHeaders_throwsBeforeAnythingIsWritten() {
        FramePool pool = new FramePool(1, 256);
        Frame frame = pool.allocate();
        HeaderTemplate template =
                new HeaderTemplate(Path.from(1, IpAddress.v4(0x0A00_0001), 1).to(2, IpAddress.v4(0x0A00_0002), 2));
        int most = 256 - HeaderTemplate.BYTES_V6 - DataHeader.BYTES_MAX;
        assertEquals(most + HeaderTemplate.BYTES_V4, template.begin(frame, most));
        frame.buffer().setMemory(0, 256, (byte) 0);
        assertThrows(IndexOutOfBoundsException.class, () -> template.begin(frame, most + 1));
        assertArrayEquals(new byte[256], contents(frame.buffer()));
        frame.release();
    }

    private static byte[] contents(UnsafeBuffer buffer) {
        byte[] bytes = new byte[buffer.capacity()];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}
