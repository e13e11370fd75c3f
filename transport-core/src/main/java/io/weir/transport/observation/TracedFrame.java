package io.weir.transport.observation;

import io.weir.transport.wire.FrameEnds;
import io.weir.transport.wire.FramePrinter;
import io.weir.transport.wire.TracedHeaders;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A frame as a ring had it. Its headers are good until the next frame is read.
 *
 * @param loop the loop that it passed
 * @param nanos when, by the loop's clock
 * @param epochNanos when that clock was 0, in nanoseconds since 1970
 * @param frameBytes its length
 * @param isReceived whether it came; else it left
 * @param reason why it was dropped, or null
 * @param droppedBefore frames of this loop right before it that nobody was in time to see
 * @param headers what is known of its bytes, with zeros behind them
 * @param keptBytes how much that is
 */
public record TracedFrame(
        int loop,
        long nanos,
        long epochNanos,
        int frameBytes,
        boolean isReceived,
        String reason,
        long droppedBefore,
        UnsafeBuffer headers,
        int keptBytes) {
    /** Room for the longest header that a damaged frame may tell of, so that who prints it reads zeros. */
    private static final int BUFFER_BYTES = 4_096;

    /** {@return memory for the headers of one frame at a time} */
    static UnsafeBuffer newMemory() {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(BUFFER_BYTES));
    }

    /** {@return when, in nanoseconds since 1970} */
    public long wallNanos() {
        return epochNanos + nanos;
    }

    /** {@return between whom it goes, or null if it is not of UDP in plain IP} */
    public FrameEnds ends() {
        return FrameEnds.of(headers, 0, keptBytes);
    }

    /** {@return what it is, on one line} */
    public String print() {
        return FramePrinter.printHeaders(headers, 0, keptBytes);
    }

    /** {@return what a capture says of it besides: the reason of its drop, and the low 32 bits of the loop's clock} */
    String comment() {
        String clock = (isReceived ? "received" : "sent") + " clock=" + (nanos & 0xFFFF_FFFFL);
        return reason == null ? clock : clock + " dropped=" + reason;
    }

    /**
     * Writes it to a capture.
     *
     * @param missingBefore frames that are missing right before it
     */
    void writeTo(PcapngWriter writer, int interfaceIndex, long missingBefore) throws IOException {
        PcapngWriter.Direction direction =
                isReceived ? PcapngWriter.Direction.INBOUND : PcapngWriter.Direction.OUTBOUND;
        writer.frame(
                new PcapngWriter.About(interfaceIndex, wallNanos(), frameBytes, direction, missingBefore, comment()),
                headers,
                0,
                keptBytes);
    }

    /** Writes zeros in place of what lets who knows it forge frames of the connection. */
    public void hideSecrets() {
        TracedHeaders.hideSecrets(headers, 0, keptBytes);
    }
}
