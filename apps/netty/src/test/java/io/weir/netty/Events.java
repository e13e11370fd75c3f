package io.weir.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.SocketException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Notes what a pipeline is told: bytes, and the names of what else happens. Any thread asks. */
class Events extends ChannelInboundHandlerAdapter {
    private final BlockingQueue<String> others = new LinkedBlockingQueue<>();
    private final BlockingQueue<ByteBuf> bytes = new LinkedBlockingQueue<>();
    /** What is left of the bytes that were asked for; the asking thread's. */
    private ByteBuf current = Unpooled.EMPTY_BUFFER;
    /** Where the handler of an accepted channel is put once it is active, or null. */
    BlockingQueue<Events> accepted;
    /** The handler's channel, from when it is active. */
    volatile Channel channel;

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context.channel();
        if (accepted != null) {
            accepted.add(this);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        bytes.add((ByteBuf) message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        others.add("inactive");
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        others.add(event.getClass().getSimpleName());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        others.add(nameOf(cause));
    }

    /** {@return an exception's kind} Netty gives those of connections its own names, which differ by kind. */
    static String nameOf(Throwable cause) {
        return cause instanceof SocketException
                ? "SocketException"
                : cause.getClass().getSimpleName();
    }

    /** {@return what happened next, other than bytes} */
    String next() throws InterruptedException {
        return ChannelKind.await(others);
    }

    /** {@return whether nothing else has happened that was not asked for} */
    boolean isQuiet() {
        return others.isEmpty();
    }

    /** {@return the next byte} */
    int read() throws InterruptedException {
        while (!current.isReadable()) {
            current.release();
            current = ChannelKind.await(bytes);
        }
        return current.readUnsignedByte();
    }

    /** {@return the sum of so many bytes} */
    long read(int count) throws InterruptedException {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += read();
        }
        return sum;
    }

    /** {@return whether no bytes wait} */
    boolean hasNoBytes() {
        return !current.isReadable() && bytes.isEmpty();
    }
}
