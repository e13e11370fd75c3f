package io.weir.bench.compare.end;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.weir.netty.WeirServerSocketChannel;
import io.weir.netty.WeirSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/** Netty over epoll or Weir: one event loop per process. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty tells by events how a channel ends
final class NettyPipes implements Pipes {
    private static final int MESSAGE_BYTES = 128 * 1024;
    private static final int BACKLOG = 4096;

    private final InetSocketAddress remote;
    private final Class<? extends ServerChannel> serverType;
    private final Class<? extends Channel> clientType;
    private final EventLoopGroup group;
    private final ByteBuf message;

    private NettyPipes(
            InetSocketAddress remote,
            IoHandlerFactory handlers,
            Class<? extends ServerChannel> serverType,
            Class<? extends Channel> clientType) {
        this.remote = remote;
        this.serverType = serverType;
        this.clientType = clientType;
        this.group = new MultiThreadIoEventLoopGroup(1, handlers);
        this.message =
                Unpooled.unreleasableBuffer(Unpooled.directBuffer(MESSAGE_BYTES).writeZero(MESSAGE_BYTES));
    }

    static NettyPipes overEpoll(InetSocketAddress remote) throws IOException {
        if (!Epoll.isAvailable()) {
            throw new IOException("Netty's epoll is not available here: " + Epoll.unavailabilityCause());
        }
        return new NettyPipes(
                remote, EpollIoHandler.newFactory(), EpollServerSocketChannel.class, EpollSocketChannel.class);
    }

    static NettyPipes overWeir(IoHandlerFactory handlers, InetSocketAddress remote) {
        return new NettyPipes(remote, handlers, WeirServerSocketChannel.class, WeirSocketChannel.class);
    }

    @Override
    public void listen(int port, Supplier<PipeUser> users) throws IOException {
        ServerBootstrap server = new ServerBootstrap()
                .group(group)
                .channel(serverType)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new Initializer(users));
        if (!server.bind(port).awaitUninterruptibly().isSuccess()) {
            throw new IOException("Netty cannot listen on port " + port);
        }
    }

    @Override
    public void connect(PipeUser user) {
        new Bootstrap()
                .group(group)
                .channel(clientType)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new Initializer(() -> user))
                .connect(remote)
                .addListener(future -> {
                    if (!future.isSuccess()) {
                        user.onClosed(null, String.valueOf(future.cause()));
                    }
                });
    }

    @Override
    public void close() {
        group.shutdownGracefully();
    }

    private final class Initializer extends ChannelInitializer<Channel> {
        private final Supplier<PipeUser> users;

        Initializer(Supplier<PipeUser> users) {
            this.users = users;
        }

        @Override
        protected void initChannel(Channel channel) {
            channel.pipeline().addLast(new Handler(users.get()));
        }
    }

    private final class Handler extends ChannelInboundHandlerAdapter implements Pipe {
        private final PipeUser user;
        private ChannelHandlerContext context;
        private String failure;
        private boolean isOpen;
        private boolean isWriting;

        Handler(PipeUser user) {
            this.user = user;
        }

        @Override
        public int write(int bytes) {
            if (!context.channel().isWritable()) {
                return 0;
            }
            int length = Math.min(bytes, MESSAGE_BYTES);
            isWriting = true;
            context.writeAndFlush(message.retainedSlice(0, length), context.voidPromise());
            isWriting = false;
            return length;
        }

        @Override
        public void close() {
            context.close();
        }

        @Override
        public void channelActive(ChannelHandlerContext opened) {
            context = opened;
            isOpen = true;
            user.onOpen(this);
        }

        @Override
        public void channelRead(ChannelHandlerContext from, Object read) {
            ByteBuf bytes = (ByteBuf) read;
            int length = bytes.readableBytes();
            bytes.release();
            user.onBytes(this, length);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext to) {
            // A change within our own write is seen by the caller's next write.
            if (!isWriting && to.channel().isWritable()) {
                user.onWritable(this);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext closed) {
            user.onClosed(this, failure);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext broken, Throwable cause) {
            failure = cause.toString();
            if (isOpen) {
                broken.close();
            }
        }
    }
}
