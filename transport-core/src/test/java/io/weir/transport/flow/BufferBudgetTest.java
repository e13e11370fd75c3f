package io.weir.transport.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link BufferBudget}. */
class BufferBudgetTest {
    private static final int CHUNKS = 32;

    private final BufferBudget budget = new BufferBudget((long) CHUNKS * BufferBudget.CHUNK_BYTES);

    @Test
    void take_beyondFifteenSixteenths_isForVitalBytesAlone() {
        for (int i = 0; i < CHUNKS - 2; i++) {
            assertNotNull(budget.take(false));
        }
        assertTrue(budget.isShort());
        assertNull(budget.take(false));
        assertNotNull(budget.take(true));
        assertNotNull(budget.take(true));
        assertTrue(budget.isExhausted());
        assertNull(budget.take(true));
        assertEquals(2, budget.chunksRefused());
        assertEquals(budget.bytesMax(), budget.bytesInUse());
    }

    @Test
    void allowsGrowth_beyondWhatIsLeft_isCounted() {
        assertTrue(budget.allowsGrowth((CHUNKS - 2) * BufferBudget.CHUNK_BYTES));
        assertFalse(budget.allowsGrowth((CHUNKS - 1) * BufferBudget.CHUNK_BYTES));
        assertEquals(1, budget.growthsRefused());
    }

    @Test
    void takeAndGive_ofFourThreads_giveEachChunkToOne() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        List<Long> clashes = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            long mark = t + 1L;
            Thread thread = new Thread(() -> {
                Chunk[] held = new Chunk[CHUNKS / 3];
                for (int i = 0; i < 100_000; i++) {
                    int slot = i * 7 % held.length;
                    if (held[slot] == null) {
                        held[slot] = budget.take(true);
                        if (held[slot] != null) {
                            held[slot].bytes.putLong(0, mark);
                        }
                    } else {
                        if (held[slot].bytes.getLong(0) != mark) {
                            synchronized (clashes) {
                                clashes.add(mark);
                            }
                        }
                        budget.give(held[slot]);
                        held[slot] = null;
                    }
                    if (i % 1_000 == 0) {
                        budget.trim();
                    }
                }
                for (Chunk chunk : held) {
                    if (chunk != null) {
                        budget.give(chunk);
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(), clashes);
        assertEquals(0, budget.bytesInUse());
    }

    /** Each carries a megabyte through both of its buffers, and is trimmed. */
    @Test
    void buffers_ofTenThousandIdleConnections_holdNothing() {
        BufferBudget shared = new BufferBudget(1 << 28);
        UnsafeBuffer piece = new UnsafeBuffer(new byte[1 << 16]);
        ByteBuffer target = ByteBuffer.allocate(1 << 16);
        List<SendBuffer> sending = new ArrayList<>();
        List<ReceiveBuffer> receiving = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            SendBuffer from = new SendBuffer(1 << 22, 1 << 16, new BufferShare(shared));
            ReceiveBuffer to = new ReceiveBuffer(1 << 22, 1 << 16, 64, new BufferShare(shared));
            for (long at = 0; at < 1 << 20; at += 1 << 16) {
                assertEquals(1 << 16, from.write(piece, 0, 1 << 16));
                assertTrue(to.accept(at, piece, 0, 1 << 16));
                from.release(at + (1 << 16));
                to.read(target.clear());
                to.recycle();
            }
            sending.add(from);
            receiving.add(to);
        }
        sending.forEach(SendBuffer::trim);
        receiving.forEach(ReceiveBuffer::trim);
        shared.trim();
        assertEquals(0, shared.bytesInUse());
        assertTrue(shared.bytesWarm() <= 1 << 20, shared.bytesWarm() + " B stay");
    }
}
