package io.weir.bench.compare.end;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.weir.netty.WeirServerSocketChannel;
import io.weir.netty.WeirSocketChannel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Unary calls of gRPC over Netty, over epoll or Weir: a message goes to the server and comes back. Calls are made and
 * served on the event loops, as the messages of {@link NettyPipes} are, so that both differ by gRPC alone.
 */
final class GrpcEnd {
    private static final MethodDescriptor<byte[], byte[]> ECHO = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("weir.Compare/Echo")
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private static final long END_SECONDS_MAX = 10;

    private final EndSpec spec;
    private final EndOutput out;
    private final boolean isWeir;
    private final EventLoopGroup group;

    GrpcEnd(EndSpec spec, EndOutput out, Carrier carrier) {
        this.spec = spec;
        this.out = out;
        this.isWeir = carrier == Carrier.WEIR_GRPC;
        this.group = new MultiThreadIoEventLoopGroup(
                1, isWeir ? WeirTransports.handlers(spec) : EpollIoHandler.newFactory());
    }

    void run(String role, CountDownLatch stop) throws IOException, InterruptedException, TimeoutException {
        if (spec.task() != Task.ROUND_TRIPS) {
            throw new IllegalArgumentException("gRPC makes round trips only");
        }
        try {
            if (role.equals("server")) {
                serve(stop);
            } else {
                use();
            }
        } finally {
            group.shutdownGracefully(0, END_SECONDS_MAX, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private void serve(CountDownLatch stop) throws IOException, InterruptedException {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(spec.port()))
                .channelType(isWeir ? WeirServerSocketChannel.class : EpollServerSocketChannel.class)
                .bossEventLoopGroup(group)
                .workerEventLoopGroup(group)
                .directExecutor()
                .addService(ServerServiceDefinition.builder("weir.Compare")
                        .addMethod(ECHO, ServerCalls.asyncUnaryCall((request, answer) -> {
                            answer.onNext(request);
                            answer.onCompleted();
                        }))
                        .build())
                .build()
                .start();
        out.open();
        stop.await();
        server.shutdownNow();
    }

    private void use() throws InterruptedException, TimeoutException {
        ManagedChannel channel = NettyChannelBuilder.forAddress(spec.remote())
                .channelType(isWeir ? WeirSocketChannel.class : EpollSocketChannel.class)
                .eventLoopGroup(group)
                .directExecutor()
                .usePlaintext()
                .build();
        out.open();
        ClientRun run = new ClientRun(spec, out);
        new Calls(channel, run).next();
        run.await();
        channel.shutdownNow();
    }

    /** One call after the other. The first, which connects and loads most of gRPC's classes, is before what counts. */
    private static final class Calls implements StreamObserver<byte[]> {
        private final ManagedChannel channel;
        private final ClientRun run;
        private final RoundTripLog times;
        private final byte[] message;
        private long sentNanos;
        /** Whether the first call has been answered. */
        private boolean isBegun;

        Calls(ManagedChannel channel, ClientRun run) {
            this.channel = channel;
            this.run = run;
            this.times = new RoundTripLog(run);
            this.message = new byte[run.spec().sizeBytes()];
        }

        void next() {
            sentNanos = System.nanoTime();
            ClientCalls.asyncUnaryCall(channel.newCall(ECHO, CallOptions.DEFAULT), message, this);
        }

        @Override
        public void onNext(byte[] answer) {
            if (answer.length != message.length) {
                run.fail("the answer has " + answer.length + " B");
            }
        }

        @Override
        public void onCompleted() {
            if (!isBegun) {
                isBegun = true;
                run.begin();
                next();
            } else if (times.note(sentNanos, System.nanoTime())) {
                next();
            } else {
                times.report();
                run.end();
            }
        }

        @Override
        public void onError(Throwable problem) {
            run.fail("a call failed: " + problem);
        }
    }

    /** Bytes as they are. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
