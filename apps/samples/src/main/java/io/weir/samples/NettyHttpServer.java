package io.weir.samples;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.codec.http.HttpVersion;
import io.weir.netty.WeirIoHandler;
import io.weir.netty.WeirServerSocketChannel;
import io.weir.netty.WeirSocketChannel;
import java.nio.charset.StandardCharsets;

/** Serves HTTP with Netty. Weir is in two places: the group's I/O handler, and the channel's class. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes its channel
public final class NettyHttpServer {
    private static final int PORT = 8080;
    private static final int BODY_BYTES_MAX = 64 * 1024;

    private NettyHttpServer() {}

    /** Runs the server until it is killed, or a client once. */
    public static void main(String[] args) throws InterruptedException {
        boolean isServer = args.length == 2 && args[0].equals("server");
        if (!isServer && !(args.length == 3 && args[0].equals("client"))) {
            System.err.println("usage: NettyHttpServer server INTERFACE | NettyHttpServer client INTERFACE ADDRESS");
            System.exit(2);
        }
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, WeirIoHandler.newFactory(args[1]));
        try {
            if (isServer) {
                serve(group, args[1]);
            } else {
                get(group, args[2]);
            }
        } finally {
            group.shutdownGracefully().sync();
        }
    }

    private static void serve(EventLoopGroup group, String interfaceName) throws InterruptedException {
        ServerBootstrap server = new ServerBootstrap().group(group).channel(WeirServerSocketChannel.class);
        server.childHandler(new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new HttpServerCodec(), new HttpServerKeepAliveHandler());
                channel.pipeline().addLast(new HttpObjectAggregator(BODY_BYTES_MAX), new Greeter());
            }
        });
        Channel listening = server.bind(PORT).sync().channel();
        System.out.println("listening on " + interfaceName + ", port " + PORT);
        listening.closeFuture().sync();
    }

    private static void get(EventLoopGroup group, String server) throws InterruptedException {
        Bootstrap client = new Bootstrap().group(group).channel(WeirSocketChannel.class);
        client.handler(new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new HttpClientCodec(), new HttpObjectAggregator(BODY_BYTES_MAX));
                channel.pipeline().addLast(new Printer());
            }
        });
        Channel channel = client.connect(server, PORT).sync().channel();
        channel.writeAndFlush(new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/weir"));
        channel.closeFuture().sync();
    }

    private static final class Greeter extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            FullHttpResponse response = new DefaultFullHttpResponse(request.protocolVersion(), HttpResponseStatus.OK);
            response.content().writeCharSequence("Hello, " + request.uri(), StandardCharsets.UTF_8);
            response.headers().setInt("content-length", response.content().readableBytes());
            context.writeAndFlush(response);
        }
    }

    private static final class Printer extends SimpleChannelInboundHandler<FullHttpResponse> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
            System.out.println(response.status() + ": " + response.content().toString(StandardCharsets.UTF_8));
            context.close();
        }
    }
}
