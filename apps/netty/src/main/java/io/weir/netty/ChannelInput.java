package io.weir.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.RecvByteBufAllocator;
import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import java.nio.ByteBuffer;

/**
 * Reads a connection's stream into buffers for the pipeline, when that asks for some. Loop thread, between two cycles.
 */
@SuppressWarnings("deprecation") // Netty's own type of what a channel has
final class ChannelInput {
    private final WeirSocketChannel channel;
    private final WeirSocketChannelConfig config;
    private final ConnectionEvents events;
    private Connection connection;
    /** Whether the pipeline has asked for bytes and has not been given any since. */
    private boolean isReadPending;
    /** Whether the pipeline knows of the end of the stream. */
    private boolean isEnded;
    /** Bytes that were read and that the stack was not told of: the window opens a quarter at a time. */
    private int unreportedBytes;

    ChannelInput(WeirSocketChannel channel, WeirSocketChannelConfig config, ConnectionEvents events) {
        this.channel = channel;
        this.config = config;
        this.events = events;
    }

    void attach(Connection opened) {
        connection = opened;
    }

    /** The pipeline asks for bytes. */
    void beginRead() {
        isReadPending = true;
        if (connection != null && !isEnded && hasNews()) {
            channel.ready();
        }
    }

    void clearReadPending() {
        isReadPending = false;
    }

    private boolean hasNews() {
        return connection.receiveBuffer().readableBytes() > 0 || connection.isInputAtEnd() || events.reason() != null;
    }

    /** The application wants no more: what is there is thrown away by the stack. */
    void end() {
        isReadPending = false;
    }

    /** Gives the pipeline what has come, as far as it wants some; and tells it of the end after the last byte. */
    void read() {
        boolean isWanted = isReadPending || config.isAutoRead();
        if (!channel.isInputShutdown() && connection.receiveBuffer().readableBytes() > 0) {
            if (!isWanted) {
                return;
            }
            readBuffers();
        }
        if (channel.isActive() && !isEnded) {
            tellEnd();
        }
    }

    private void tellEnd() {
        CloseReason reason = events.reason();
        boolean isInputShutdown = channel.isInputShutdown();
        if (!isInputShutdown && connection.receiveBuffer().readableBytes() > 0) {
            if (isReadPending || config.isAutoRead()) {
                channel.ready();
            }
        } else if (isInputShutdown || connection.isInputAtEnd()) {
            isEnded = true;
            noteRead(0);
            channel.onInputEnd();
        }
        if (channel.isActive() && reason != null && reason != CloseReason.FINISHED && hasReadAll()) {
            channel.onFailed(reason);
        }
    }

    private boolean hasReadAll() {
        return channel.isInputShutdown() || connection.receiveBuffer().readableBytes() == 0;
    }

    private void readBuffers() {
        ChannelPipeline pipeline = channel.pipeline();
        RecvByteBufAllocator.Handle allocation = channel.unsafe().recvBufAllocHandle();
        allocation.reset(config);
        do {
            ByteBuf buffer = allocation.allocate(config.getAllocator());
            int count = 0;
            try {
                count = fill(buffer, allocation);
            } finally {
                if (count == 0) {
                    buffer.release();
                }
            }
            allocation.lastBytesRead(count);
            if (count == 0) {
                break;
            }
            allocation.incMessagesRead(1);
            isReadPending = false;
            pipeline.fireChannelRead(buffer);
        } while (!channel.isInputShutdown() && allocation.continueReading());
        allocation.readComplete();
        pipeline.fireChannelReadComplete();
    }

    private int fill(ByteBuf buffer, RecvByteBufAllocator.Handle allocation) {
        int writable = buffer.writableBytes();
        allocation.attemptedBytesRead(writable);
        ByteBuffer target = buffer.internalNioBuffer(buffer.writerIndex(), writable);
        int count = connection.receiveBuffer().read(target);
        buffer.writerIndex(buffer.writerIndex() + count);
        noteRead(count);
        return count;
    }

    private void noteRead(int count) {
        if (events.reason() != null) {
            // Over: the reader owns what is left, and gives the memory back after the last byte.
            connection.receiveBuffer().finishReading(false);
            return;
        }
        unreportedBytes += count;
        boolean isAtEnd = connection.isInputAtEnd();
        if (isAtEnd || unreportedBytes >= connection.receiveBuffer().limitBytes() / 4) {
            unreportedBytes = 0;
            connection.resumeReading();
        }
    }
}
