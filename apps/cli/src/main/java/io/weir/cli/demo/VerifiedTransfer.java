package io.weir.cli.demo;

import io.weir.pacer.SeededRandom;
import io.weir.transport.host.Connection;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
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
        this.expectedSha256 = sha256(new Payload(seed), bytes);
        this.sender = new Sender(seed, bytes, failure);
        this.receiver = new Receiver(failure);
    }

    private static String sha256(Payload payload, long bytes) {
        MessageDigest digest = newDigest();
        for (long done = 0; done < bytes; done += CHUNK_BYTES) {
            digest.update(payload.next());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
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

    /** {@return what became of it, after it has ended} */
    Transfer result() {
        return new Transfer(
                bytes,
                receiver.bytes.get(),
                receiver.lastNanos - receiver.firstNanos,
                expectedSha256,
                HexFormat.of().formatHex(receiver.digest.digest()));
    }

    /** The stream, chunk by chunk. */
    private static final class Payload {
        private final SeededRandom random;
        private final UnsafeBuffer chunk = new UnsafeBuffer(new byte[CHUNK_BYTES]);

        Payload(long seed) {
            random = new SeededRandom(seed);
        }

        byte[] next() {
            for (int i = 0; i < CHUNK_BYTES; i += Long.BYTES) {
                chunk.putLong(i, random.nextLong());
            }
            return chunk.byteArray();
        }
    }

    private static final class Sender extends QuietHandler {
        private final Payload payload;
        private final UnsafeBuffer chunk = new UnsafeBuffer(new byte[0]);
        private long remainingBytes;
        private int chunkAt = CHUNK_BYTES;

        Sender(long seed, long bytes, AtomicReference<String> failure) {
            super("the verified transfer's sender", failure);
            payload = new Payload(seed);
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
                    chunk.wrap(payload.next());
                    chunkAt = 0;
                }
                int written = connection.write(chunk, chunkAt, CHUNK_BYTES - chunkAt);
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
        private final MessageDigest digest = newDigest();
        private final byte[] copy = new byte[CHUNK_BYTES];
        private final CountDownLatch ended = new CountDownLatch(1);
        private final AtomicLong bytes = new AtomicLong();
        private long firstNanos = -1;
        private long lastNanos;

        Receiver(AtomicReference<String> failure) {
            super("the verified transfer's receiver", failure);
        }

        @Override
        public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
            lastNanos = connection.host().nowNanos();
            if (firstNanos < 0) {
                firstNanos = lastNanos;
            }
            int taken = Math.min(length, copy.length);
            buffer.getBytes(index, copy, 0, taken);
            digest.update(copy, 0, taken);
            bytes.lazySet(bytes.getPlain() + taken);
            return taken;
        }

        @Override
        public void onEnd(Connection connection) {
            allowEnd();
            connection.shutdownOutput();
            ended.countDown();
        }
    }
}
