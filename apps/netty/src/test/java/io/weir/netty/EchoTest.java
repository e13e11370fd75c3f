package io.weir.netty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that channels carry bytes both ways, and that groups end. */
@ExtendWith(LeakCheck.class)
class EchoTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void echo_oneMegabyte_comesBackUnchanged(boolean isLossy) throws Exception {
        byte[] sent = new byte[1_000_000];
        new Random(1).nextBytes(sent);
        try (TwoGroups groups = MemoryHosts.open(isLossy)) {
            Channel server = groups.newServer()
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline().addLast(new Echo());
                        }
                    })
                    .bind(groups.serverAddress())
                    .sync()
                    .channel();
            Collector collector = new Collector(sent.length);
            Channel client = groups.newClient()
                    .handler(collector)
                    .connect(server.localAddress())
                    .sync()
                    .channel();
            client.writeAndFlush(Unpooled.wrappedBuffer(sent)).sync();
            assertArrayEquals(sent, collector.all.get());
            client.close().sync();
            server.close().sync();
        }
    }

    @Test
    void close_ofGroups_endsTransports() {
        TwoGroups groups = MemoryHosts.open();
        groups.close();
        assertTrue(groups.client().isTerminated());
        assertTrue(groups.server().isTerminated());
    }

    /** Sends back what comes. */
    @SuppressWarnings("FutureReturnValueIgnored") // what fails is seen by the peer, which waits for the answer
    static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }
    }

    /** Collects a number of bytes. */
    static final class Collector extends SimpleChannelInboundHandler<ByteBuf> {
        final CompletableFuture<byte[]> all = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final int count;

        Collector(int count) {
            this.count = count;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) throws Exception {
            message.readBytes(bytes, message.readableBytes());
            if (bytes.size() >= count) {
                all.complete(bytes.toByteArray());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            all.completeExceptionally(cause);
        }
    }
}
