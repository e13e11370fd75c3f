package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.flow.BufferBudget;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.wire.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link BufferCare}: when a connection's memory goes, and that one that lacks memory tries again. */
class BufferCareTest {
    private static final long IDLE = BufferCare.IDLE_NANOS;
    private static final long MILLISECOND = 1_000_000L;
    private static final long CHUNK = BufferBudget.CHUNK_BYTES;
    private static final int INITIAL = 1 << 14;

    /** A connection that has taken 100 bytes, which wait to be read if {@code isRead} is false. */
    private static Script received(long memoryBytes, boolean isRead) {
        return received(memoryBytes, INITIAL, isRead);
    }

    private static Script received(long memoryBytes, int initialBytes, boolean isRead) {
        StreamLimits streams =
                StreamLimits.DEFAULT.withBufferBytesInitial(initialBytes).withMemoryBytesMax(memoryBytes);
        Script script = new Script(builder -> builder.streams(streams)).establishFromPeer(100_000);
        if (!isRead) {
            script.app().take(0);
        }
        return script.receives(peer -> peer.data(1, 0, 100)).after(10_000).forgetSent();
    }

    private static long bytesInUse(Script script) {
        return script.host().bufferBudget().bytesInUse();
    }

    @Test
    void idle_forOneToTwoSeconds_holdsNoMemory() {
        try (Script script = received(1 << 20, false)) {
            assertEquals(CHUNK, bytesInUse(script));
            script.read(100);
            script.after(2 * IDLE);
            assertEquals(0, bytesInUse(script));
        }
    }

    @Test
    void idle_bytesThatNobodyReads_keepTheirMemory() {
        try (Script script = received(1 << 20, false)) {
            script.after(10 * IDLE);
            assertEquals(CHUNK, bytesInUse(script));
            script.read(100).after(2 * IDLE);
            assertEquals(0, bytesInUse(script));
        }
    }

    @Test
    void busy_aByteEverySecond_keepsItsMemory() {
        try (Script script = received(1 << 20, false)) {
            for (int i = 1; i <= 20; i++) {
                int number = i;
                script.read(100)
                        .after(IDLE * 9 / 10)
                        .receives(peer -> peer.request(1_000, number))
                        .after(20_000)
                        .receives(peer -> peer.data(number + 1, 100L * number, 100))
                        .forgetSent();
                assertEquals(CHUNK, bytesInUse(script));
            }
        }
    }

    @Test
    void idle_windowThatHadGrown_isWhatItWasAtFirst() {
        try (Script script = received(1 << 20, true)) {
            for (int i = 1; i <= 10; i++) {
                int number = i;
                script.receives(peer -> peer.data(number + 1, 100 + 1_000L * (number - 1), 1_000))
                        .after(2_000)
                        .forgetSent();
            }
            assertTrue(script.connection().receiveBuffer().limitBytes() > INITIAL, "it has grown");
            script.app().take(0);
            script.receives(peer -> peer.request(100, 11)).after(10_000);
            script.receives(peer -> peer.data(12, 10_100, 100)).after(1_000);
            assertEquals(CHUNK, bytesInUse(script));
            script.read(100).after(2 * IDLE);
            assertEquals(INITIAL, script.connection().receiveBuffer().limitBytes());
        }
    }

    @Test
    void idle_sent_holdsNoMemoryOnceItIsAcknowledged() {
        try (Script script = received(1 << 20, true)) {
            script.write(1_000);
            assertEquals(CHUNK, bytesInUse(script));
            script.after(1_000).receives(peer -> peer.credit(1)).after(10_000);
            script.receives(peer -> peer.ack(
                    1_000,
                    PeerFrames.WINDOW_BYTES,
                    script.connection().numbers().next() - 1));
            script.after(2 * IDLE);
            assertEquals(0, bytesInUse(script));
        }
    }

    /**
     * Four chunks: one for what connections are made of, one for bytes that wait, and two that another stream takes and
     * gives back.
     */
    @Test
    void lacking_writerWithoutMemory_isToldWithinTheRetry() {
        try (Script script = received(4 * CHUNK, 2 * INITIAL, false)) {
            Connection hog = hog(script);
            assertEquals(
                    4 * CHUNK, bytesInUse(script) + script.host().bufferBudget().bytesReserved());
            int written = script.connection().write(new UnsafeBuffer(new byte[100]), 0, 100);
            assertEquals(0, written);
            script.after(10 * MILLISECOND).hears();
            hog.abort();
            script.after(64 * MILLISECOND).hears("closed ABORTED", "writable");
        }
    }

    /** {@return a connection that was opened from here and has as much to send as there is memory for} */
    private static Connection hog(Script script) {
        Connection hog = script.host()
                .connect(
                        Path.from(
                                        script.connection().path().localMac(),
                                        script.connection().path().local(),
                                        50_000)
                                .to(
                                        script.connection().path().remoteMac(),
                                        script.connection().path().remote(),
                                        50_001),
                        script.app());
        for (int i = 0; i < 8; i++) {
            hog.write(new UnsafeBuffer(new byte[INITIAL]), 0, INITIAL);
        }
        return hog;
    }
}
