package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.net.InterfaceFacts;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link Chunks}. */
class ChunksTest {
    private static InterfaceFacts device(int mtuBytes) {
        return new InterfaceFacts("eth0", 2, 1, mtuBytes, true, true, 1, "veth", 0, 0, List.of());
    }

    @ParameterizedTest
    @CsvSource({
        "1280, 2048",
        "1774, 2048",
        "1775, 4096",
        "3498, 4096",
        "3499, 8192",
        "7918, 8192",
        "7919, 12288",
        "9000, 12288",
        "12014, 12288",
        "65536, 12288"
    })
    void slotBytes_mtu_isTheLeastThatFitsOrTheLargest(int mtuBytes, int slotBytes) {
        assertEquals(slotBytes, Chunks.slotBytes(mtuBytes));
    }

    @ParameterizedTest
    @ValueSource(ints = {2048, 4096, 8192, 12_288})
    void slotOf_everyChunk_isTheSlotThatHasIt(int slotBytes) {
        Chunks chunks = Chunks.of(slotBytes);
        int slots = Integer.MAX_VALUE / slotBytes;
        for (int slot = 0; slot < slots; slot++) {
            long address = (long) slot * slotBytes;
            assertEquals(address, chunks.addressOf(slot));
            for (int i = 0; i < chunks.perSlot(); i++) {
                long chunk = address + (long) i * chunks.chunkBytes();
                assertEquals(slot, chunks.slotOf(chunk));
                assertEquals(slot, chunks.slotOf(chunk + chunks.chunkBytes() - 1));
            }
        }
    }

    @Test
    void areScattered_slotOfOneChunk_isFalse() {
        assertFalse(Chunks.of(2048).areScattered());
        assertFalse(Chunks.of(4096).areScattered());
        assertTrue(Chunks.of(8192).areScattered());
    }

    @Test
    void pieceBytes_endOfTheChunk_isWhereThePieceEnds() {
        Chunks chunks = Chunks.of(12_288);
        assertEquals(100, chunks.pieceBytes(12_288 + 200, 100));
        assertEquals(4096 - 200, chunks.pieceBytes(12_288 + 200, 9000));
        assertEquals(4096, chunks.pieceBytes(12_288 + 4096, 4096));
        assertEquals(1, chunks.pieceBytes(12_288 + 8191, 2));
    }

    @Test
    void hasLast_frameOfThreePieces_isTrueOfTheThirdAlone() {
        Chunks chunks = Chunks.of(12_288);
        FramePool pool = new FramePool(3, 12_288);
        Frame frame = pool.frame(2);
        long slot = chunks.addressOf(2);
        frame.setExtent(100, 9014);
        assertFalse(chunks.hasLast(frame, slot + 100));
        assertFalse(chunks.hasLast(frame, slot + 4096));
        assertTrue(chunks.hasLast(frame, slot + 8192));
        frame.setExtent(0, 8192);
        assertFalse(chunks.hasLast(frame, slot));
        assertTrue(chunks.hasLast(frame, slot + 4096));
        frame.setExtent(64, 60);
        assertTrue(chunks.hasLast(frame, slot + 64));
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 1024, 3072, 6144, 16_384})
    void of_slotsTheKernelDoesNotTake_areRefused(int slotBytes) {
        assertThrows(IllegalArgumentException.class, () -> Chunks.of(slotBytes));
    }

    @Test
    void requireFit_tooLarge_saysTheLimitAndTheRemedy() {
        assertEquals(
                "MTU 9000 of eth0 exceeds 1774, the most that fits a slot of 2048 bytes after 256 of headroom and 18 of"
                        + " framing; lower it (ip link set eth0 mtu 1774) or use slots of 12288 bytes",
                assertThrows(NicException.class, () -> Chunks.requireFit(device(9000), 2048))
                        .getMessage());
        assertEquals(
                "MTU 16000 of eth0 exceeds 12014, the most that fits a slot of 12288 bytes after 256 of headroom and 18"
                        + " of framing; lower it (ip link set eth0 mtu 12014)",
                assertThrows(NicException.class, () -> Chunks.requireFit(device(16_000), 12_288))
                        .getMessage());
    }
}
