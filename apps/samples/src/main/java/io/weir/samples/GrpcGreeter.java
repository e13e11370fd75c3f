package io.weir.samples;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.weir.netty.WeirIoHandler;
import io.weir.netty.WeirServerSocketChannel;
import io.weir.netty.WeirSocketChannel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Greets by gRPC. The messages are plain texts, so that nothing has to be generated. */
public final class GrpcGreeter {
    private static final int PORT = 4723;
    private static final MethodDescriptor<String, String> GREET = MethodDescriptor.<String, String>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("weir.Greeter/Greet")
            .setRequestMarshaller(new Text())
            .setResponseMarshaller(new Text())
            .build();

    private GrpcGreeter() {}

    /** Runs the server until it is killed, or a client once. */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 2 && args[0].equals("server")) {
            serve(args[1]);
        } else if (args.length == 3 && args[0].equals("client")) {
            call(args[1], args[2]);
        } else {
            System.err.println("usage: GrpcGreeter server INTERFACE | GrpcGreeter client INTERFACE ADDRESS");
            System.exit(2);
        }
    }

    private static void serve(String interfaceName) throws IOException, InterruptedException {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, WeirIoHandler.newFactory(interfaceName));
        Server server = NettyServerBuilder.forPort(PORT)
                .channelType(WeirServerSocketChannel.class)
                .bossEventLoopGroup(group)
                .workerEventLoopGroup(group)
                .addService(ServerServiceDefinition.builder("weir.Greeter")
                        .addMethod(GREET, ServerCalls.asyncUnaryCall((name, answer) -> {
                            answer.onNext("Hello, " + name);
                            answer.onCompleted();
                        }))
                        .build())
                .build()
                .start();
        System.out.println("listening on " + interfaceName + ", port " + server.getPort());
        server.awaitTermination();
    }

    private static void call(String interfaceName, String server) throws InterruptedException {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, WeirIoHandler.newFactory(interfaceName));
        try {
            ManagedChannel channel = NettyChannelBuilder.forAddress(new InetSocketAddress(server, PORT))
                    .channelType(WeirSocketChannel.class)
                    .eventLoopGroup(group)
                    .usePlaintext()
                    .build();
            System.out.println(ClientCalls.blockingUnaryCall(channel, GREET, CallOptions.DEFAULT, "Weir"));
            channel.shutdown().awaitTermination(10, TimeUnit.SECONDS);
        } finally {
            group.shutdownGracefully().sync();
        }
    }

    /** Texts as they are. */
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
