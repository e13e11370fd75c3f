package io.weir.cli.perf;

import io.weir.cli.perf.carrier.Link;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** One connection for the messages of a {@link MessageSource}, one at a time. */
final class MessageStream extends DataStream {
    private static final int CHUNK_BYTES = 1 << 16;

    private final MessageSource messages;
    private final UnsafeBuffer header = new UnsafeBuffer(new byte[MessageFormat.HEADER_BYTES]);
    private final UnsafeBuffer zeros = new UnsafeBuffer(new byte[CHUNK_BYTES]);
    // What is to be written of the message at hand, and how long it is: 0 once it is answered.
    private int headerLeftBytes;
    private long leftBytes;
    private long messageBytes;
    /** Of all messages that were answered. */
    private long bytes;
    /** Whether no message follows. */
    private boolean isStopping;

    MessageStream(int index, MessageSource messages, Owner owner) {
        super(index, true, owner);
        this.messages = messages;
    }

    @Override
    void start() {
        super.start();
        messages.start(this);
    }

    /** Sends a message; the one before was answered. */
    void send(long sizeBytes) {
        messageBytes = sizeBytes;
        leftBytes = sizeBytes;
        headerLeftBytes = MessageFormat.HEADER_BYTES;
        header.putInt(0, (int) sizeBytes, ByteOrder.BIG_ENDIAN);
        onWritable(link());
    }

    @Override
    public void onWritable(Link link) {
        if (headerLeftBytes > 0) {
            int taken = link.write(header, MessageFormat.HEADER_BYTES - headerLeftBytes, headerLeftBytes);
            headerLeftBytes -= taken;
            if (headerLeftBytes > 0) {
                return;
            }
        }
        while (leftBytes > 0) {
            int offered = (int) Math.min(leftBytes, CHUNK_BYTES);
            int taken = link.write(zeros, 0, offered);
            leftBytes -= taken;
            if (taken < offered) {
                return;
            }
        }
    }

    @Override
    public int onData(Link link, DirectBuffer buffer, int index, int length) {
        if (length != 1 || messageBytes == 0 || leftBytes > 0) {
            end("an answer came for which there is no message");
            link.abort();
            return length;
        }
        bytes += messageBytes;
        messageBytes = 0;
        messages.onAnswer(this);
        return length;
    }

    @Override
    void stop() {
        messages.stop();
    }

    /** No message follows. */
    void finish() {
        if (!isStopping) {
            isStopping = true;
            link().shutdownOutput();
        }
    }

    @Override
    long bytes() {
        return bytes;
    }
}
