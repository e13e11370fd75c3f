package io.weir.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrame;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests Netty's codecs of HTTP over channels of Weir. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails is seen by the test, which waits for the answer
@ExtendWith(LeakCheck.class)
class HttpTest {
    private static final int BODY_BYTES = 200_000;

    @Test
    void get_byHttp1_isAnswered() throws Exception {
        CompletableFuture<Integer> length = new CompletableFuture<>();
        try (TwoGroups groups = MemoryHosts.open()) {
            Channel server = groups.newServer()
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline()
                                    .addLast(
                                            new HttpServerCodec(),
                                            new HttpObjectAggregator(BODY_BYTES),
                                            new Http1Server());
                        }
                    })
                    .bind(groups.serverAddress())
                    .sync()
                    .channel();
            Channel client = groups.newClient()
                    .handler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline()
                                    .addLast(
                                            new HttpClientCodec(),
                                            new HttpObjectAggregator(BODY_BYTES),
                                            new SimpleChannelInboundHandler<FullHttpResponse>() {
                                                @Override
                                                protected void channelRead0(
                                                        ChannelHandlerContext context, FullHttpResponse response) {
                                                    length.complete(
                                                            response.content().readableBytes());
                                                }
                                            });
                        }
                    })
                    .connect(server.localAddress())
                    .sync()
                    .channel();
            client.writeAndFlush(new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
            assertEquals(BODY_BYTES, length.get());
            client.close().sync();
            server.close().sync();
        }
    }

    /** Answers every request with a body. */
    private static final class Http1Server extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            DefaultFullHttpResponse response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(new byte[BODY_BYTES]));
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, BODY_BYTES);
            context.writeAndFlush(response);
        }
    }

    @Test
    void get_byHttp2_isAnswered() throws Exception {
        CompletableFuture<Integer> length = new CompletableFuture<>();
        try (TwoGroups groups = MemoryHosts.open()) {
            Channel server = groups.newServer()
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline()
                                    .addLast(
                                            Http2FrameCodecBuilder.forServer().build(),
                                            new Http2MultiplexHandler(new ChannelInitializer<>() {
                                                @Override
                                                protected void initChannel(Channel stream) {
                                                    stream.pipeline().addLast(new Http2Server());
                                                }
                                            }));
                        }
                    })
                    .bind(groups.serverAddress())
                    .sync()
                    .channel();
            Channel client = groups.newClient()
                    .handler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline()
                                    .addLast(
                                            Http2FrameCodecBuilder.forClient().build(),
                                            new Http2MultiplexHandler(new Http2Client(new CompletableFuture<>())));
                        }
                    })
                    .connect(server.localAddress())
                    .sync()
                    .channel();
            Http2StreamChannel stream = new Http2StreamChannelBootstrap(client)
                    .handler(new Http2Client(length))
                    .open()
                    .get();
            Http2Headers headers = new DefaultHttp2Headers()
                    .method("GET")
                    .scheme("http")
                    .authority("weir")
                    .path("/");
            stream.writeAndFlush(new DefaultHttp2HeadersFrame(headers, true));
            assertEquals(BODY_BYTES, length.get());
            client.close().sync();
            server.close().sync();
        }
    }

    /** Answers every stream with a body. */
    private static final class Http2Server extends SimpleChannelInboundHandler<Http2StreamFrame> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, Http2StreamFrame frame) {
            if (frame instanceof Http2HeadersFrame) {
                context.write(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("200")));
                context.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(new byte[BODY_BYTES]), true));
            }
        }
    }

    /** Counts the bytes of a stream's body. */
    private static final class Http2Client extends SimpleChannelInboundHandler<Http2StreamFrame> {
        private final CompletableFuture<Integer> length;
        private int bytes;

        Http2Client(CompletableFuture<Integer> length) {
            this.length = length;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, Http2StreamFrame frame) {
            if (frame instanceof Http2DataFrame data) {
                bytes += ByteBufUtil.getBytes(data.content()).length;
                if (data.isEndStream()) {
                    length.complete(bytes);
                }
            }
        }
    }
}
