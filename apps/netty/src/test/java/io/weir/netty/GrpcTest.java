package io.weir.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests gRPC, client and server, over channels of Weir. */
@ExtendWith(LeakCheck.class)
class GrpcTest {
    private static final int STREAMED = 1_000;

    private static final MethodDescriptor<String, String> GREET = method("Greet", MethodType.UNARY);
    private static final MethodDescriptor<String, String> COUNT = method("Count", MethodType.SERVER_STREAMING);

    @Test
    void calls_unaryAndStreaming_areAnswered() throws Exception {
        try (TwoGroups groups = MemoryHosts.open()) {
            Server server = NettyServerBuilder.forAddress(groups.serverAddress())
                    .channelType(WeirServerSocketChannel.class)
                    .bossEventLoopGroup(groups.server())
                    .workerEventLoopGroup(groups.server())
                    .addService(service())
                    .build()
                    .start();
            ManagedChannel channel = NettyChannelBuilder.forAddress(
                            (InetSocketAddress) server.getListenSockets().get(0))
                    .channelType(WeirSocketChannel.class)
                    .eventLoopGroup(groups.client())
                    .usePlaintext()
                    .build();

            assertEquals("Hello, Weir", ClientCalls.blockingUnaryCall(channel, GREET, CallOptions.DEFAULT, "Weir"));

            Iterator<String> answers = ClientCalls.blockingServerStreamingCall(channel, COUNT, CallOptions.DEFAULT, "");
            int count = 0;
            while (answers.hasNext()) {
                assertEquals(Integer.toString(count), answers.next());
                count++;
            }
            assertEquals(STREAMED, count);

            channel.shutdown().awaitTermination(1, TimeUnit.MINUTES);
            server.shutdown().awaitTermination(1, TimeUnit.MINUTES);
        }
    }

    private static ServerServiceDefinition service() {
        return ServerServiceDefinition.builder("weir.Greeter")
                .addMethod(GREET, ServerCalls.asyncUnaryCall((name, answer) -> {
                    answer.onNext("Hello, " + name);
                    answer.onCompleted();
                }))
                .addMethod(COUNT, ServerCalls.asyncServerStreamingCall((request, answer) -> {
                    for (int i = 0; i < STREAMED; i++) {
                        answer.onNext(Integer.toString(i));
                    }
                    answer.onCompleted();
                }))
                .build();
    }

    private static MethodDescriptor<String, String> method(String name, MethodType type) {
        return MethodDescriptor.<String, String>newBuilder()
                .setType(type)
                .setFullMethodName("weir.Greeter/" + name)
                .setRequestMarshaller(new Text())
                .setResponseMarshaller(new Text())
                .build();
    }

    /** Strings as they are, so that no compiler of messages is needed. */
    private static final class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
