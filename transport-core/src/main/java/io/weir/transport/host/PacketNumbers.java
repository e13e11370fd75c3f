package io.weir.transport.host;

import io.weir.transport.wire.Serial;
import io.weir.transport.wire.WeirHeader;
import org.agrona.concurrent.UnsafeBuffer;

/** The numbers of a connection's frames: those that it has sent, and how far those of the peer have come. */
final class PacketNumbers {
    private long sent;
    private long received;

    /** {@return the number for the frame that is written now} */
    long take() {
        return ++sent;
    }

    /** The first {@code count} numbers have been used. */
    void skip(int count) {
        sent += count;
    }

    /** {@return the number that the next frame will have} */
    long next() {
        return sent + 1;
    }

    /** {@return the whole number of a frame that has come} */
    long unwrap(UnsafeBuffer buffer, int at) {
        long number = Serial.unwrap(received, WeirHeader.packetNumber(buffer, at));
        received = Math.max(received, number);
        return number;
    }
}
