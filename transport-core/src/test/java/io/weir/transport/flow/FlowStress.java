package io.weir.transport.flow;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The memory of streams, used by an application's thread and a loop's at once: run by {@code PiecesTest}. */
public final class FlowStress {
    private static final int BYTES = 48;
    private static final int TRIES = 2_000;

    private FlowStress() {}

    /**
     * Three threads take and give three chunks: nobody has another one's, and all come back. With two, a thread that
     * takes one leaves the others too few to take both and give the upper one back.
     */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "each chunk had one owner, and none is missing")
    @Outcome(expect = FORBIDDEN, desc = "a chunk with two owners, or none")
    @State
    public static class Budget {
        private static final int TURNS = 6;
        private static final int CHUNKS = 3;
        private final BufferBudget budget = new BufferBudget((long) CHUNKS * BufferBudget.CHUNK_BYTES);
        /** Chunks that somebody else has written to; each thread's own. */
        private final int[] shared = new int[3];

        /** With free chunks that have memory. */
        public Budget() {
            Chunk[] all = new Chunk[CHUNKS];
            for (int i = 0; i < CHUNKS; i++) {
                all[i] = budget.take(true);
            }
            for (Chunk chunk : all) {
                budget.give(chunk);
            }
        }

        private void use(int who) {
            for (int i = 0; i < TURNS; i++) {
                Chunk chunk = budget.take(true);
                if (chunk != null) {
                    chunk.bytes.putInt(0, who);
                    Chunk other = (i & 1) == 0 ? null : budget.take(true);
                    shared[who] += chunk.bytes.getInt(0) == who ? 0 : 1;
                    budget.give(chunk);
                    if (other != null) {
                        budget.give(other);
                    }
                }
            }
        }

        /** A thread. */
        @Actor
        public void first() {
            use(0);
        }

        /** A thread. */
        @Actor
        public void second() {
            use(1);
        }

        /** A thread. */
        @Actor
        public void third() {
            use(2);
        }

        /** Looks whether all are there. */
        @Arbiter
        public void count(II_Result result) {
            result.r1 = shared[0] + shared[1] + shared[2];
            result.r2 = (int) budget.bytesInUse();
            int left = 0;
            for (Chunk chunk = budget.take(true); chunk != null; chunk = budget.take(true)) {
                left++;
            }
            result.r2 += left == CHUNKS ? 0 : 1;
        }
    }

    /** An application writes while the loop sends and frees. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "bytes are sent as written")
    @Outcome(expect = FORBIDDEN, desc = "other bytes are sent")
    @State
    public static class Sending {
        private final BufferBudget budget = new BufferBudget(2L * BufferBudget.CHUNK_BYTES);
        private final SendBuffer buffer = new SendBuffer(16, 16, new BufferShare(budget));

        /** The application. */
        @Actor
        public void write() {
            ByteBuffer source = ByteBuffer.allocate(BYTES);
            for (int i = 0; i < BYTES; i++) {
                source.put(i, (byte) (i + 1));
            }
            for (int tries = 0; source.hasRemaining() && tries < TRIES; tries++) {
                buffer.write(source);
            }
        }

        /** The loop. */
        @Actor
        public void send(I_Result result) {
            UnsafeBuffer target = new UnsafeBuffer(new byte[BYTES]);
            int sent = 0;
            for (int tries = 0; sent < BYTES && tries < TRIES; tries++) {
                int count = (int) (buffer.endOffset() - sent);
                if (count > 0) {
                    buffer.copyTo(sent, target, 0, count);
                    for (int i = 0; i < count; i++) {
                        result.r1 += target.getByte(i) == (byte) (sent + i + 1) ? 0 : 1;
                    }
                    sent += count;
                    buffer.release(sent);
                }
            }
        }
    }

    /** The loop receives while an application reads. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "bytes are read as they came")
    @Outcome(expect = FORBIDDEN, desc = "other bytes are read")
    @State
    public static class Receiving {
        private static final int PIECE_BYTES = 8;
        private final BufferBudget budget = new BufferBudget(2L * BufferBudget.CHUNK_BYTES);
        private final ReceiveBuffer buffer = new ReceiveBuffer(16, 16, 4, new BufferShare(budget));

        /** The loop. */
        @Actor
        public void receive() {
            UnsafeBuffer source = new UnsafeBuffer(new byte[PIECE_BYTES]);
            int received = 0;
            for (int tries = 0; received < BYTES && tries < TRIES; tries++) {
                if (buffer.fits(received, received + PIECE_BYTES)) {
                    for (int i = 0; i < PIECE_BYTES; i++) {
                        source.putByte(i, (byte) (received + i + 1));
                    }
                    received += buffer.accept(received, source, 0, PIECE_BYTES) ? PIECE_BYTES : 0;
                }
            }
        }

        /** The application. */
        @Actor
        public void read(I_Result result) {
            ByteBuffer target = ByteBuffer.allocate(BYTES);
            int count = 0;
            for (int tries = 0; count < BYTES && tries < TRIES; tries++) {
                int more = buffer.read(target);
                for (int i = count; i < count + more; i++) {
                    result.r1 += target.get(i) == (byte) (i + 1) ? 0 : 1;
                }
                count += more;
            }
        }
    }
}
