package io.weir.transport.testing;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.Crc32c;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.WeirHeader;
import io.weir.transport.wire.WholeFrame;
import org.agrona.concurrent.UnsafeBuffer;

/** Damages frames as a bad network or a bad peer would: a peer makes the checksums right again. */
public final class FrameMutator {
    private final SeededRandom random;
    private final Crc32c crc = new Crc32c();
    private final Datagram datagram = new Datagram();

    /** Creates a mutator whose damage follows from {@code random}. */
    public FrameMutator(SeededRandom random) {
        this.random = random;
    }

    /** Changes a few bytes, the length, or nothing; most of the time the checksums are right afterwards. */
    public void mutate(Frame frame) {
        for (int i = random.nextInt(5); i > 0; i--) {
            mutateOnce(frame);
        }
        if (random.nextInt(4) != 0) {
            Checksums.repair(frame);
            seal(frame);
            Checksums.repair(frame);
        }
    }

    private void mutateOnce(Frame frame) {
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset() + random.nextInt(Math.max(1, frame.length()));
        switch (random.nextInt(8)) {
            case 0 -> buffer.putByte(at, (byte) 0);
            case 1 -> buffer.putByte(at, (byte) 0xFF);
            case 2 -> buffer.putByte(at, (byte) (buffer.getByte(at) ^ 1 << random.nextInt(8)));
            case 3 ->
                buffer.setMemory(at, Math.min(8, frame.offset() + frame.length() - at), (byte) random.nextInt(256));
            case 4 -> frame.setExtent(frame.offset(), random.nextInt(frame.length() + 1));
            case 5 ->
                frame.setExtent(
                        frame.offset(),
                        Math.min(buffer.capacity() - frame.offset(), frame.length() + random.nextInt(64)));
            default -> buffer.putByte(at, (byte) random.nextInt(256));
        }
    }

    /** Fills a frame with noise of any length, under headers of every kind. */
    public void randomize(Frame frame) {
        int length = random.nextInt(4) == 0 ? random.nextInt(64) : random.nextInt(1_600);
        UnsafeBuffer buffer = frame.buffer();
        for (int i = 0; i < length; i++) {
            buffer.putByte(i, (byte) random.nextLong());
        }
        frame.setExtent(0, length);
        if (length > 60 && random.nextInt(2) == 0) {
            buffer.putShort(12, (short) 0x0008);
            buffer.putByte(14, (byte) 0x45);
            buffer.putByte(23, (byte) Datagram.PROTOCOL_UDP);
            buffer.putByte(42, (byte) (WeirHeader.VERSION << 4 | random.nextInt(16)));
        }
    }

    /** Makes the CRC right, where there is room for one. */
    private void seal(Frame frame) {
        if (datagram.parse(frame) != null || datagram.weirBytes() < WeirHeader.PREFIX_BYTES) {
            return;
        }
        UnsafeBuffer buffer = datagram.buffer();
        int at = datagram.weirAt();
        FrameType type = WeirHeader.type(buffer, at);
        if (type == FrameType.DATA && WholeFrame.isValid(type, buffer, at, datagram.weirBytes())) {
            DataHeader.seal(buffer, at, crc);
        } else if (type == FrameType.ACK && WholeFrame.isValid(type, buffer, at, datagram.weirBytes())) {
            AckHeader.seal(buffer, at, crc);
        }
    }
}
