package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/** Whether what came is a whole frame: the one place that knows the headers of all types. */
public final class WholeFrame {
    private WholeFrame() {}

    /** {@return whether {@code length} bytes hold a whole frame of {@code type}} */
    public static boolean isValid(FrameType type, UnsafeBuffer buffer, int at, int length) {
        return switch (type) {
            case CREDIT -> length >= CreditHeader.BYTES;
            case DATA -> DataHeader.isValid(buffer, at, length);
            case ACK -> AckHeader.isValid(buffer, at, length);
            case REQUEST -> length >= RequestHeader.BYTES;
            case STOP -> length >= StopHeader.BYTES;
            case OPEN -> length >= OpenHeader.BYTES;
            case CHALLENGE -> length >= ChallengeHeader.BYTES;
            case ACCEPT -> length >= AcceptHeader.BYTES;
            case RESET -> length >= ResetHeader.BYTES;
        };
    }
}
