package io.weir.transport.wire;

import io.weir.transport.frame.Frame;
import org.agrona.concurrent.UnsafeBuffer;

/** Prints any frame on one line, for tests, traces and people. It allocates and belongs to no hot path. */
public final class FramePrinter {
    private FramePrinter() {}

    /** {@return one line that says what the frame is} */
    public static String print(Frame frame) {
        Datagram datagram = new Datagram();
        var dropReason = datagram.parse(frame);
        if (dropReason != null) {
            return "frame of " + frame.length() + " B, " + dropReason.description();
        }
        UnsafeBuffer buffer = datagram.buffer();
        int at = datagram.weirAt();
        FrameType type = WeirHeader.type(buffer, at);
        if (datagram.weirBytes() < WeirHeader.PREFIX_BYTES
                || WeirHeader.version(buffer, at) != WeirHeader.VERSION
                || type == null
                || !WholeFrame.isValid(type, buffer, at, datagram.weirBytes())) {
            return "UDP " + datagram.sourcePort() + ">" + datagram.destinationPort() + ", not Weir";
        }
        return type + body(type, buffer, at) + (datagram.isMarked() ? " CE" : "");
    }

    /**
     * {@return one line that says what a frame is of which only the headers are kept}
     *
     * @param buffer memory outside the heap, with zeros behind what is kept: at least as many as the longest headers
     */
    public static String printHeaders(UnsafeBuffer buffer, int at, int length) {
        FrameEnds ends = FrameEnds.of(buffer, at, length);
        if (ends == null || ends.type() == null) {
            return ends == null ? "not UDP in plain IP" : "not Weir";
        }
        int weirAt = at + TracedHeaders.weirAt(buffer, at, length);
        int bytes = at + length - weirAt;
        boolean isWhole = ends.type() == FrameType.DATA
                ? bytes >= DataHeader.BYTES
                : WholeFrame.isValid(ends.type(), buffer, weirAt, bytes);
        return ends.type() + (isWhole ? body(ends.type(), buffer, weirAt) : ", cut short");
    }

    private static String body(FrameType type, UnsafeBuffer buffer, int at) {
        return switch (type) {
            case CREDIT -> credit(buffer, at);
            case DATA -> data(buffer, at);
            case ACK -> ack(buffer, at);
            case REQUEST ->
                " backlog=" + RequestHeader.backlogBytes(buffer, at) + " credit<="
                        + number(RequestHeader.creditSequence(buffer, at))
                        + ((WeirHeader.flags(buffer, at) & RequestHeader.FLAG_CREDITS_ANSWER) != 0 ? " no-ack" : "")
                        + ((WeirHeader.flags(buffer, at) & RequestHeader.FLAG_REPEATED) != 0 ? " repeated" : "");
            case STOP -> " credit<=" + number(StopHeader.creditSequence(buffer, at));
            case OPEN -> open(buffer, at);
            case CHALLENGE -> "";
            case ACCEPT ->
                " protocol=" + AcceptHeader.protocol(buffer, at) + " window="
                        + AcceptHeader.receiveWindowBytes(buffer, at) + " backlog="
                        + AcceptHeader.backlogBytes(buffer, at) + frames(AcceptHeader.creditFrames(buffer, at))
                        + ((WeirHeader.flags(buffer, at) & AcceptHeader.FLAG_DATA_CONFIRMS) != 0
                                ? " data-confirms"
                                : "")
                        + ((WeirHeader.flags(buffer, at) & AcceptHeader.FLAG_GRANT) != 0
                                ? " grants=" + AcceptHeader.GRANTED_SEQUENCE
                                : "");
            case RESET -> " reason=" + ResetHeader.reason(buffer, at);
        };
    }

    private static String credit(UnsafeBuffer buffer, int at) {
        int frames = CreditHeader.frames(WeirHeader.flags(buffer, at));
        return " " + number(CreditHeader.sequence(buffer, at)) + (frames > 1 ? " x" + frames : "") + " ack="
                + number(CreditHeader.ackLow32(buffer, at)) + (CreditHeader.isStanding(buffer, at) ? " standing" : "");
    }

    private static String data(UnsafeBuffer buffer, int at) {
        long offset = DataHeader.streamOffset(buffer, at);
        int flags = WeirHeader.flags(buffer, at);
        boolean fin = (flags & DataHeader.FLAG_FIN) != 0;
        boolean grants = (flags & DataHeader.FLAG_GRANT) != 0;
        return " [" + offset + "," + (offset + DataHeader.payloadBytes(buffer, at)) + ")" + (fin ? " FIN" : "")
                + " credit=" + number(DataHeader.creditSequence(buffer, at)) + " backlog="
                + DataHeader.backlogBytes(buffer, at)
                + (DataHeader.tellsSurplus(buffer, at) ? " surplus" : "")
                + ((flags & DataHeader.FLAG_CREDITED_SINGLY) != 0 ? " singly" : "")
                + (grants ? " grants=" + number(DataHeader.grantedSequence(buffer, at)) : "")
                + (DataHeader.carriesAck(buffer, at) ? " ack" + ack(buffer, AckHeader.ridingAt(at)) : "")
                + (DataHeader.carriesCredit(buffer, at)
                        ? " credits=" + number(DataHeader.riddenSequence(buffer, at)) + " x"
                                + DataHeader.riddenFrames(buffer, at)
                        : "")
                + signals(
                        grants ? DataHeader.WINDOW_UNSET : DataHeader.window(buffer, at), DataHeader.marks(buffer, at));
    }

    /** {@return what switches and protocols have to say in the window and marks fields; mostly nothing} */
    private static String signals(int window, int marks) {
        boolean isRate = (marks & Marks.RATE) != 0;
        String value = window == DataHeader.WINDOW_UNSET ? (isRate ? "none" : "") : Long.toString(number(window));
        StringBuilder text = new StringBuilder();
        if (!value.isEmpty()) {
            text.append(isRate ? " rate=" : " granted=").append(value);
        }
        text.append((marks & Marks.ROUND) != 0 ? " RM" : "");
        text.append((marks & Marks.ROUND_ACK) != 0 ? " RMA" : "");
        text.append((marks & Marks.CONGESTION) != 0 ? " CNP" : "");
        text.append((marks & Marks.HELD) != 0 ? " HELD" : "");
        return text.toString();
    }

    private static String ack(UnsafeBuffer buffer, int at) {
        StringBuilder text = new StringBuilder(" ").append(AckHeader.ackOffset(buffer, at));
        text.append(" window=").append(AckHeader.receiveWindowBytes(buffer, at));
        for (int i = 0; i < AckHeader.rangeCount(buffer, at); i++) {
            long start = AckHeader.ackOffset(buffer, at) + AckHeader.rangeGapBytes(buffer, at, i);
            text.append(" [")
                    .append(start)
                    .append(',')
                    .append(start + AckHeader.rangeBytes(buffer, at, i))
                    .append(')');
        }
        if (AckHeader.ceFrameCount(buffer, at) != 0) {
            text.append(" ce=").append(number(AckHeader.ceFrameCount(buffer, at)));
        }
        return text.append(signals(AckHeader.window(buffer, at), AckHeader.marks(buffer, at)))
                .append(frames(AckHeader.creditFrames(buffer, at)))
                .toString();
    }

    private static String open(UnsafeBuffer buffer, int at) {
        int flags = WeirHeader.flags(buffer, at);
        return ((flags & OpenHeader.FLAG_COOKIE) != 0 ? " cookie" : "")
                + ((flags & OpenHeader.FLAG_TOKEN) != 0 ? " token" : "")
                + ((flags & OpenHeader.FLAG_CREDIT_REQUEST) != 0 ? " request" : "")
                + " backlog=" + OpenHeader.backlogBytes(buffer, at) + frames(OpenHeader.creditFrames(buffer, at));
    }

    /** {@return how many frames one credit may grant, unless it is one} */
    private static String frames(int creditFrames) {
        return creditFrames > 1 ? " frames=" + creditFrames : "";
    }

    private static long number(int low32) {
        return low32 & Bytes.U32;
    }
}
