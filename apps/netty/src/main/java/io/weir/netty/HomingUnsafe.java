package io.weir.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.RecvByteBufAllocator;
import java.net.SocketAddress;

/**
 * What Netty calls to register a channel that a peer has opened, where the transport has several loops: a group gives
 * its event loops to channels in turn, and this one goes to the event loop that its connection has come to. An event
 * loop of another transport gets it as asked, and refuses it.
 */
final class HomingUnsafe implements Channel.Unsafe {
    private final Channel.Unsafe unsafe;
    private final WeirIoHandler home;

    /** @param unsafe what is called in its place */
    HomingUnsafe(Channel.Unsafe unsafe, WeirIoHandler home) {
        this.unsafe = unsafe;
        this.home = home;
    }

    @Override
    public void register(EventLoop asked, ChannelPromise promise) {
        unsafe.register(home.loops().has(asked) ? home.eventLoop() : asked, promise);
    }

    @Override
    @SuppressWarnings("deprecation") // Netty's own type of what a channel has
    public RecvByteBufAllocator.Handle recvBufAllocHandle() {
        return unsafe.recvBufAllocHandle();
    }

    @Override
    public SocketAddress localAddress() {
        return unsafe.localAddress();
    }

    @Override
    public SocketAddress remoteAddress() {
        return unsafe.remoteAddress();
    }

    @Override
    public void bind(SocketAddress localAddress, ChannelPromise promise) {
        unsafe.bind(localAddress, promise);
    }

    @Override
    public void connect(SocketAddress remoteAddress, SocketAddress localAddress, ChannelPromise promise) {
        unsafe.connect(remoteAddress, localAddress, promise);
    }

    @Override
    public void disconnect(ChannelPromise promise) {
        unsafe.disconnect(promise);
    }

    @Override
    public void close(ChannelPromise promise) {
        unsafe.close(promise);
    }

    @Override
    public void closeForcibly() {
        unsafe.closeForcibly();
    }

    @Override
    public void deregister(ChannelPromise promise) {
        unsafe.deregister(promise);
    }

    @Override
    public void beginRead() {
        unsafe.beginRead();
    }

    @Override
    public void write(Object message, ChannelPromise promise) {
        unsafe.write(message, promise);
    }

    @Override
    public void flush() {
        unsafe.flush();
    }

    @Override
    public ChannelPromise voidPromise() {
        return unsafe.voidPromise();
    }

    @Override
    public ChannelOutboundBuffer outboundBuffer() {
        return unsafe.outboundBuffer();
    }
}
