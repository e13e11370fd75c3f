package io.weir.cli.demo;

import io.weir.cli.traffic.PayloadCheck;
import io.weir.cli.traffic.QuietHandler;
import io.weir.cli.traffic.SeededPayload;
import io.weir.cli.traffic.Sha256;
import io.weir.transport.host.Connection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A transfer whose bytes follow from a seed, so that the receiver's SHA-256 can be compared with one that never moved.
 */
final class VerifiedTransfer {
    /** The payload is made in pieces of this size, so that its length is a multiple of it. */
    static final int CHUNK_BYTES = 1 << 16;

    private final long bytes;
    private final String expectedSha256;
    private final Sender sender;
    private final Receiver receiver;

    VerifiedTransfer(long seed, long bytes, AtomicReference<String> failure) {
        this.bytes = bytes;
        this.expectedSha256 = sha256(new SeededPayload(seed, 0), bytes);
        this.sender = new Sender(new SeededPayload(seed, 0), bytes, failure);
        this.receiver = new Receiver(new PayloadCheck(new SeededPayload(seed, 0)), failure);
    }

    private static String sha256(SeededPayload payload, long bytes) {
        Sha256 digest = new Sha256();
        byte[] chunk = new byte[CHUNK_BYTES];
        for (long done = 0; done < bytes; done += CHUNK_BYTES) {
            payload.next(chunk, 0, CHUNK_BYTES);
            digest.update(chunk, 0, CHUNK_BYTES);
        }
        return digest.text();
    }

    QuietHandler sender() {
        return sender;
    }

    QuietHandler receiver() {
        return receiver;
    }

    /** {@return whether the whole stream has arrived, with its end, within the time} */
    boolean awaitEnd(long seconds) throws InterruptedException {
        return receiver.ended.await(seconds, TimeUnit.SECONDS);
    }

    /** {@return bytes that have arrived} */
    long receivedBytes() {
        return receiver.bytes.get();
    }

    /** {@return the result of a transfer that has ended} */
    Transfer result() {
        return new Transfer(
                bytes,
                receiver.bytes.get(),
                receiver.lastNanos - receiver.firstNanos,
                expectedSha256,
                receiver.check.sha256());
    }

    private static final class Sender extends QuietHandler {
        private final SeededPayload payload;
        private final byte[] chunk = new byte[CHUNK_BYTES];
        private final UnsafeBuffer chunkBuffer = new UnsafeBuffer(chunk);
        private long remainingBytes;
        private int chunkAt = CHUNK_BYTES;

        Sender(SeededPayload payload, long bytes, AtomicReference<String> failure) {
            super("the verified transfer's sender", failure);
            this.payload = payload;
            remainingBytes = bytes;
            allowEnd();
        }

        @Override
        public void onConnected(Connection connection) {
            onWritable(connection);
        }

        @Override
        public void onWritable(Connection connection) {
            while (remainingBytes > 0) {
                if (chunkAt == CHUNK_BYTES) {
                    payload.next(chunk, 0, CHUNK_BYTES);
                    chunkAt = 0;
                }
                int written = connection.write(chunkBuffer, chunkAt, CHUNK_BYTES - chunkAt);
                chunkAt += written;
                remainingBytes -= written;
                if (chunkAt < CHUNK_BYTES) {
                    return;
                }
            }
            connection.shutdownOutput();
        }
    }

    private static final class Receiver extends QuietHandler {
        private final PayloadCheck check;
        private final CountDownLatch ended = new CountDownLatch(1);
        private final AtomicLong bytes = new AtomicLong();
        private long firstNanos = -1;
        private long lastNanos;

        Receiver(PayloadCheck check, AtomicReference<String> failure) {
            super("the verified transfer's receiver", failure);
            this.check = check;
        }

        @Override
        public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
            lastNanos = connection.host().nowNanos();
            if (firstNanos < 0) {
                firstNanos = lastNanos;
            }
            check.onBytes(buffer, index, length);
            bytes.lazySet(bytes.getPlain() + length);
            return length;
        }

        @Override
        public void onEnd(Connection connection) {
            allowEnd();
            connection.shutdownOutput();
            ended.countDown();
        }
    }
}
