package io.weir.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.FileRegion;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ReferenceCountUtil;
import io.weir.transport.flow.SendBuffer;
import io.weir.transport.host.Connection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Moves what the pipeline has written into a connection's send buffer, until that is full: what is left stays with
 * Netty, whose water marks count it. Loop thread.
 */
final class ChannelOutput {
    private final WeirSocketChannelConfig config;
    private final Sink sink = new Sink();
    private Connection connection;
    /** Whether the send buffer was full; the stack says when there is room. */
    private boolean isBlocked;

    ChannelOutput(WeirSocketChannelConfig config) {
        this.config = config;
    }

    void attach(Connection opened) {
        connection = opened;
    }

    boolean isBlocked() {
        return isBlocked;
    }

    void unblock() {
        isBlocked = false;
    }

    /** {@return the message as it can be written: one that has no buffers of the JDK's to read from is copied} */
    static Object filter(Object message) {
        if (message instanceof FileRegion) {
            return message;
        }
        if (!(message instanceof ByteBuf buffer)) {
            throw new UnsupportedOperationException(
                    "unsupported message type: " + message.getClass().getName()
                            + "; write a ByteBuf or a FileRegion, or add a handler that makes one of it");
        }
        if (buffer.refCnt() == 0) {
            // Met when it is sent, it would end the channel.
            throw new IllegalReferenceCountException(0);
        }
        if (buffer.nioBufferCount() > 0) {
            return buffer;
        }
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        ReferenceCountUtil.safeRelease(buffer);
        return Unpooled.wrappedBuffer(bytes);
    }

    /** Takes messages until there are none or the buffer is full. */
    void write(ChannelOutboundBuffer messages) throws IOException {
        long before = connection.sendBuffer().endOffset();
        try {
            // Completing a promise may write and flush more, which this loop takes too.
            while (!isBlocked && messages.current() != null) {
                Object message = messages.current();
                boolean isTaken = message instanceof ByteBuf buffer
                        ? write(messages, buffer)
                        : write(messages, (FileRegion) message);
                if (!isTaken) {
                    isBlocked = true;
                    connection.requestWritable();
                }
            }
        } finally {
            SendBuffer buffer = connection.sendBuffer();
            if (buffer.endOffset() > before || buffer.isStarved()) {
                connection.onWritten();
            }
        }
    }

    /** {@return whether there was room for all of it} */
    private boolean write(ChannelOutboundBuffer messages, ByteBuf buffer) {
        int readable = buffer.readableBytes();
        if (readable == 0) {
            messages.remove();
            return true;
        }
        int written = 0;
        if (buffer.nioBufferCount() == 1) {
            written = write(buffer.internalNioBuffer(buffer.readerIndex(), readable));
        } else {
            for (ByteBuffer part : buffer.nioBuffers()) {
                int bytes = part.remaining();
                int count = write(part);
                written += count;
                if (count < bytes) {
                    break;
                }
            }
        }
        messages.removeBytes(written);
        return written == readable;
    }

    private boolean write(ChannelOutboundBuffer messages, FileRegion region) throws IOException {
        while (region.transferred() < region.count()) {
            sink.isFull = false;
            long count = region.transferTo(sink, region.transferred());
            if (count > 0) {
                messages.progress(count);
            } else if (sink.isFull || room() == 0) {
                return false;
            } else {
                throw new IOException("the file region ends after " + region.transferred() + " of " + region.count()
                        + " bytes; was the file truncated?");
            }
        }
        messages.remove();
        return true;
    }

    /** {@return how many of the bytes there was room for} */
    private int write(ByteBuffer source) {
        int room = room();
        int limit = source.limit();
        if (source.remaining() > room) {
            source.limit(source.position() + room);
        }
        int count = connection.sendBuffer().write(source);
        source.limit(limit);
        return count;
    }

    /** {@return how many bytes SO_SNDBUF lets be written now; the send buffer may have less room} */
    private int room() {
        SendBuffer buffer = connection.sendBuffer();
        long kept = buffer.endOffset() - buffer.baseOffset();
        return (int) Math.min(Math.max(0, config.sendBufferBytesMax() - kept), buffer.freeBytes());
    }

    /** What a file is written to. */
    private final class Sink implements WritableByteChannel {
        /** Whether there was no room for all of the latest bytes. */
        private boolean isFull;

        @Override
        public int write(ByteBuffer source) {
            int wanted = source.remaining();
            int count = ChannelOutput.this.write(source);
            isFull |= count < wanted;
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // The channel is closed by its pipeline.
        }
    }
}
