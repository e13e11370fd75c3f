package io.weir.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;

/**
 * Reads a connection's stream into buffers for the pipeline, when that asks for some. Loop thread, between two cycles.
 */
@SuppressWarnings("deprecation") // Netty's own type of what a channel has
final class ChannelInput {
    private final WeirSocketChannel channel;
    private final WeirSocketChannelConfig config;
    private final ConnectionEvents events;
    /** Null until it stands. */
    private Connection connection;
    /** Whether the pipeline has asked for bytes and has not been given any since. */
    private boolean isReadPending;
    /** Whether no more is read; set once by the event loop, and never cleared; any thread asks. */
    private volatile boolean isShutdown;
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

    void onAutoReadCleared() {
        // Without this a read that was asked for before would still be served.
        if (channel.isRegistered() && channel.eventLoop().inEventLoop()) {
            isReadPending = false;
        } else if (channel.isRegistered()) {
            channel.eventLoop().execute(() -> {
                if (!config.isAutoRead()) {
                    isReadPending = false;
                }
            });
        }
    }

    private boolean hasNews() {
        return connection.receiveBuffer().readableBytes() > 0 || connection.isInputAtEnd() || events.reason() != null;
    }

    boolean isShutdown() {
        return isShutdown;
    }

    /** The application wants no more: what is there is thrown away by the stack. */
    void shutdown(ChannelPromise promise) {
        if (!channel.isActive()) {
            promise.tryFailure(channel.isOpen() ? new NotYetConnectedException() : new ClosedChannelException());
            return;
        }
        isShutdown = true;
        channel.handler().tick();
        events.discard();
        connection.resumeReading();
        isReadPending = false;
        channel.ready();
        promise.trySuccess();
    }

    /** The channel closes. */
    void close() {
        isShutdown = true;
    }

    /** Gives the pipeline what has come, as far as it wants some; and tells it of the end after the last byte. */
    void read() {
        boolean isWanted = isReadPending || config.isAutoRead();
        if (!isShutdown && connection.receiveBuffer().readableBytes() > 0) {
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
        boolean wasShutdown = isShutdown;
        if (!wasShutdown && connection.receiveBuffer().readableBytes() > 0) {
            if (isReadPending || config.isAutoRead()) {
                channel.ready();
            }
        } else if (wasShutdown || connection.isInputAtEnd()) {
            isEnded = true;
            noteRead(0);
            onEnd();
        }
        if (channel.isActive() && reason != null && reason != CloseReason.FINISHED && hasReadAll()) {
            channel.onFailed(reason);
        }
    }

    /** The peer has ended its stream, and all of it has been read. */
    private void onEnd() {
        if (!isShutdown) {
            if (!config.isAllowHalfClosure()) {
                channel.unsafe().close(channel.voidPromise());
                return;
            }
            isShutdown = true;
            channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        }
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
    }

    private boolean hasReadAll() {
        return isShutdown || connection.receiveBuffer().readableBytes() == 0;
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
        } while (!isShutdown && allocation.continueReading());
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
