package io.weir.transport.socket;

import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionAcceptor;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.host.ConnectionTimers;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.testing.PassiveHandler;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.agrona.concurrent.UnsafeBuffer;

/** What the public API must not be given, call by call, and what each call must throw then. */
final class Refusals {
    private static final int PORT = TwoTransports.PORT;
    private static final InetSocketAddress SERVER = TwoTransports.SERVER;
    private static final Duration PATIENCE = TwoTransports.PATIENCE;
    private static final Duration NEGATIVE = Duration.ofNanos(-1);

    private Refusals() {}

    /** A call on two transports. */
    interface Call {
        void run(TwoTransports two) throws Exception;
    }

    /** A call of a configuration's or another object's own, without transports. */
    interface Build {
        void run() throws Exception;
    }

    /** What a call must throw, with these words in its message. */
    record Refusal(String name, Call call, Class<? extends Throwable> thrown, List<String> words) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Refusal refusal(String name, Class<? extends Throwable> thrown, Call call, String... words) {
        return new Refusal(name, call, thrown, List.of(words));
    }

    private static Refusal config(String name, Build build, String... words) {
        return new Refusal(name, two -> build.run(), ConfigException.class, List.of(words));
    }

    private static final Class<NullPointerException> NULL = NullPointerException.class;
    private static final Class<IllegalArgumentException> ARGUMENT = IllegalArgumentException.class;
    private static final Class<IllegalStateException> STATE = IllegalStateException.class;
    private static final Class<IndexOutOfBoundsException> INDEX = IndexOutOfBoundsException.class;

    static List<Refusal> all() {
        List<Refusal> all = new ArrayList<>();
        all.addAll(ofSockets());
        all.addAll(ofSocketsOptions());
        all.addAll(ofStreams());
        all.addAll(ofListeners());
        all.addAll(ofTransports());
        all.addAll(ofLocalPorts());
        all.addAll(ofLoops());
        all.addAll(ofConnections());
        all.addAll(ofConfigurations());
        all.addAll(ofLimits());
        all.addAll(ofStreamsAndTimers());
        return all;
    }

    private static List<Refusal> ofSockets() {
        return List.of(
                refusal(
                        "read null",
                        NULL,
                        two -> two.near().read((ByteBuffer) null),
                        "target is null",
                        "give a buffer"),
                refusal("tryRead null", NULL, two -> two.near().tryRead(null), "target is null"),
                refusal(
                        "write null",
                        NULL,
                        two -> two.near().write((ByteBuffer) null),
                        "source is null",
                        "give a buffer"),
                refusal("read null buffers", NULL, two -> two.near().read((ByteBuffer[]) null), "targets is null"),
                refusal("write null buffers", NULL, two -> two.near().write((ByteBuffer[]) null), "sources is null"),
                refusal("read beyond the buffers", INDEX, two -> two.near().read(new ByteBuffer[2], 1, 2)),
                refusal("write beyond the buffers", INDEX, two -> two.near().write(new ByteBuffer[2], 1, 2)),
                refusal("tryWrite null", NULL, two -> two.near().tryWrite(null), "source is null"),
                refusal(
                        "read into a read-only heap buffer",
                        ReadOnlyBufferException.class,
                        two -> readInto(two, heap())),
                refusal(
                        "read into a read-only direct buffer",
                        ReadOnlyBufferException.class,
                        two -> readInto(two, ByteBuffer.allocateDirect(8).asReadOnlyBuffer())),
                refusal("tryRead into a read-only buffer", ReadOnlyBufferException.class, two -> two.near()
                        .tryRead(heap())),
                refusal("read into a full read-only buffer", ReadOnlyBufferException.class, two -> two.near()
                        .read(heap().position(8))));
    }

    private static List<Refusal> ofSocketsOptions() {
        return List.of(
                refusal("setReadTimeout null", NULL, two -> two.near().setReadTimeout(null), "timeout is null", "ZERO"),
                refusal(
                        "setReadTimeout negative",
                        ARGUMENT,
                        two -> two.near().setReadTimeout(NEGATIVE),
                        "PT-0.000000001S",
                        "zero"),
                refusal("setWriteTimeout null", NULL, two -> two.near().setWriteTimeout(null), "timeout is null"),
                refusal("setWriteTimeout negative", ARGUMENT, two -> two.near().setWriteTimeout(NEGATIVE), "negative"),
                refusal(
                        "read closed",
                        SocketException.class,
                        two -> closed(two).read(ByteBuffer.allocate(1)),
                        "closed"),
                refusal(
                        "tryRead closed",
                        SocketException.class,
                        two -> closed(two).tryRead(ByteBuffer.allocate(1)),
                        "closed"),
                refusal(
                        "write closed",
                        SocketException.class,
                        two -> closed(two).write(ByteBuffer.allocate(1)),
                        "closed"),
                refusal(
                        "tryWrite closed",
                        SocketException.class,
                        two -> closed(two).tryWrite(ByteBuffer.allocate(1)),
                        "closed"),
                refusal(
                        "available closed",
                        SocketException.class,
                        two -> closed(two).available(),
                        "closed"),
                refusal(
                        "shutdownOutput closed",
                        SocketException.class,
                        two -> closed(two).shutdownOutput(),
                        "closed"),
                refusal(
                        "write after shutdownOutput",
                        SocketException.class,
                        two -> {
                            two.near().shutdownOutput();
                            two.near().write(ByteBuffer.allocate(1));
                        },
                        "shutdown"));
    }

    private static List<Refusal> ofStreams() {
        return List.of(
                refusal("stream read null", NULL, two -> two.near()
                        .inputStream()
                        .read(null, 0, 1)),
                refusal("stream read beyond", INDEX, two -> two.near()
                        .inputStream()
                        .read(new byte[4], 2, 3)),
                refusal("stream read negative", INDEX, two -> two.near()
                        .inputStream()
                        .read(new byte[4], -1, 3)),
                refusal(
                        "stream read closed",
                        SocketException.class,
                        two -> closed(two).inputStream().read(),
                        "closed"),
                refusal("stream write null", NULL, two -> two.near()
                        .outputStream()
                        .write(null, 0, 1)),
                refusal("stream write beyond", INDEX, two -> two.near()
                        .outputStream()
                        .write(new byte[4], 2, 3)),
                refusal(
                        "stream write closed",
                        SocketException.class,
                        two -> closed(two).outputStream().write(1),
                        "closed"));
    }

    private static ByteBuffer heap() {
        return ByteBuffer.allocate(8).asReadOnlyBuffer();
    }

    private static void readInto(TwoTransports two, ByteBuffer target) throws IOException {
        two.far().write(ByteBuffer.allocate(8));
        two.near().read(target);
    }

    private static WeirSocket closed(TwoTransports two) throws IOException {
        WeirSocket socket = two.near();
        socket.close();
        return socket;
    }

    private static List<Refusal> ofListeners() {
        return List.of(
                refusal("listen port 0", ARGUMENT, two -> two.server.listen(0), "port=0", "1..65535"),
                refusal("listen port negative", ARGUMENT, two -> two.server.listen(-1), "port=-1", "1..65535"),
                refusal("listen port huge", ARGUMENT, two -> two.server.listen(65_536), "port=65536", "1..65535"),
                refusal("listen backlog 0", ARGUMENT, two -> two.server.listen(PORT, 0), "backlog=0", "1..65536"),
                refusal(
                        "listen backlog huge",
                        ARGUMENT,
                        two -> two.server.listen(PORT, Integer.MAX_VALUE),
                        "backlog=2147483647",
                        "1..65536"),
                refusal(
                        "listen acceptor null",
                        NULL,
                        two -> two.server.listen(PORT, (ConnectionAcceptor) null),
                        "acceptor is null"),
                refusal(
                        "listen twice",
                        BindException.class,
                        two -> {
                            two.listener();
                            two.server.listen(PORT);
                        },
                        "4720",
                        "close its listener"),
                refusal("setAcceptTimeout null", NULL, two -> two.listener().setAcceptTimeout(null), "timeout is null"),
                refusal(
                        "setAcceptTimeout negative",
                        ARGUMENT,
                        two -> two.listener().setAcceptTimeout(NEGATIVE),
                        "negative"),
                refusal(
                        "accept closed",
                        SocketException.class,
                        two -> {
                            two.listener().close();
                            two.listener().accept();
                        },
                        "closed"));
    }

    private static List<Refusal> ofTransports() {
        return List.of(
                refusal("open null interface name", NULL, two -> Transport.open(null), "interfaceName is null"),
                refusal("open null config", NULL, two -> Transport.open("eth0", null), "config is null"),
                refusal(
                        "open null interface",
                        NULL,
                        two -> Transport.open(null, null, TransportConfig.DEFAULT),
                        "netInterface is null"),
                refusal("connect null", NULL, two -> two.client.connect(null, PATIENCE), "remote is null"),
                refusal(
                        "connectAsync null",
                        NULL,
                        two -> two.client.connectAsync(null).join(),
                        "remote is null"),
                refusal(
                        "connectAsync from null",
                        NULL,
                        two -> two.client
                                .connectAsync(TwoTransports.SERVER, (LocalPort) null)
                                .join(),
                        "from is null"),
                refusal(
                        "connectAsync by null",
                        NULL,
                        two -> two.client
                                .connectAsync(TwoTransports.SERVER, (ProtocolId) null)
                                .join(),
                        "protocol is null"),
                refusal(
                        "connect unresolved",
                        UnknownHostException.class,
                        two -> two.client.connect(
                                InetSocketAddress.createUnresolved("nowhere.invalid", PORT), PATIENCE),
                        "nowhere.invalid",
                        "DNS"),
                refusal(
                        "connect port 0",
                        ARGUMENT,
                        two -> two.client.connect(new InetSocketAddress("10.0.0.2", 0), PATIENCE),
                        "port=0",
                        "1..65535"),
                refusal(
                        "connect timeout null",
                        NULL,
                        two -> two.client.connect(SERVER, (Duration) null),
                        "timeout is null"),
                refusal("connect timeout negative", ARGUMENT, two -> two.client.connect(SERVER, NEGATIVE), "negative"),
                refusal(
                        "connect protocol null",
                        NULL,
                        two -> two.client.connect(SERVER, PATIENCE, null),
                        "protocol is null"),
                refusal(
                        "connect handler null",
                        NULL,
                        two -> two.client.connect(SERVER, (ConnectionHandler) null),
                        "handler is null"));
    }

    private static List<Refusal> ofLocalPorts() {
        return List.of(
                refusal("bind null", NULL, two -> two.client.bind(null), "local is null"),
                refusal(
                        "bind foreign address",
                        BindException.class,
                        two -> two.client.bind(new InetSocketAddress("192.0.2.77", 0)),
                        "192.0.2.77",
                        "10.0.0.1"),
                refusal(
                        "bind taken port",
                        BindException.class,
                        two -> two.client.bind(
                                two.client.bind(new InetSocketAddress(0)).address()),
                        "Address already in use"),
                refusal(
                        "connect from null",
                        NULL,
                        two -> two.client.connect(SERVER, (LocalPort) null, PATIENCE),
                        "from is null"),
                refusal(
                        "connect from a closed port",
                        SocketException.class,
                        two -> {
                            LocalPort port = two.client.bind(new InetSocketAddress(0));
                            port.close();
                            two.client.connect(SERVER, port, PATIENCE);
                        },
                        "bind another one"),
                refusal(
                        "listen at null",
                        NULL,
                        two -> two.server.listen((InetSocketAddress) null, 1),
                        "local is null"));
    }

    private static List<Refusal> ofLoops() {
        return List.of(
                refusal("parametersOf null", NULL, two -> two.client.parametersOf(null), "protocol is null"),
                refusal("execute null", NULL, two -> two.client.execute(null), "task is null"),
                refusal("loop execute null", NULL, two -> two.client.loop().execute(null), "task is null"),
                refusal("runOnce not invoked", STATE, two -> two.client.runOnce(), "BACK_OFF", "INVOKER"),
                refusal("adopt not invoked", STATE, two -> two.client.loop().adopt(), "BACK_OFF", "INVOKER"),
                refusal("close null", NULL, two -> two.client.close(null), "drainTime is null"),
                refusal("close negative", ARGUMENT, two -> two.client.close(NEGATIVE), "negative"),
                refusal(
                        "connect closed",
                        SocketException.class,
                        two -> {
                            two.client.close();
                            two.client.connect(SERVER, PATIENCE);
                        },
                        "Transport closed"),
                refusal(
                        "connect with a handler, closed",
                        SocketException.class,
                        two -> {
                            two.client.close();
                            two.client.connect(SERVER, new PassiveHandler());
                        },
                        "Transport closed"),
                refusal(
                        "listen closed",
                        SocketException.class,
                        two -> {
                            two.client.close();
                            two.client.listen(PORT);
                        },
                        "Transport closed"),
                refusal(
                        "listen with an acceptor, closed",
                        SocketException.class,
                        two -> {
                            two.client.close();
                            two.client.listen(PORT, connection -> null);
                        },
                        "Transport closed"),
                refusal(
                        "execute closed",
                        RejectedExecutionException.class,
                        two -> {
                            two.client.close();
                            two.client.execute(now -> {});
                        },
                        "closed"));
    }

    private static List<Refusal> ofConnections() {
        UnsafeBuffer ten = new UnsafeBuffer(new byte[10]);
        return List.of(
                onLoop("write null", NULL, connection -> connection.write(null, 0, 1)),
                onLoop(
                        "write beyond",
                        INDEX,
                        connection -> connection.write(ten, 5, 6),
                        "offset=5",
                        "length=6",
                        "10 B"),
                onLoop("write negative offset", INDEX, connection -> connection.write(ten, -1, 6), "offset=-1"),
                onLoop("write negative length", INDEX, connection -> connection.write(ten, 0, -1), "length=-1"),
                onLoop("write huge", INDEX, connection -> connection.write(ten, 1, Integer.MAX_VALUE), "2147483647"),
                onLoop(
                        "takeBackUnsent negative",
                        ARGUMENT,
                        connection -> connection.takeBackUnsent(-1),
                        "keptBytes=-1",
                        "0 or more"),
                onLoop(
                        "closeWithin negative",
                        ARGUMENT,
                        connection -> connection.closeWithin(-1),
                        "nanos=-1",
                        "abort()"),
                onLoop("receiveBuffer read-only", ReadOnlyBufferException.class, connection -> connection
                        .receiveBuffer()
                        .read(heap())),
                onLoop(
                        "hostStack listen null",
                        NULL,
                        connection -> connection.host().listen(9, null),
                        "acceptor is null"),
                onLoop(
                        "hostStack connect null path",
                        NULL,
                        connection -> connection.host().connect(null, new PassiveHandler()),
                        "path is null"),
                onLoop(
                        "hostStack connect null handler",
                        NULL,
                        connection -> connection.host().connect(connection.path(), null),
                        "handler is null"),
                refusal(
                        "observe before it is established",
                        STATE,
                        two -> {
                            Connection opening = two.client.connect(SERVER, new PassiveHandler());
                            if (opening.protocol() == null) {
                                opening.observe((ack, now) -> {});
                            } else {
                                throw new IllegalStateException("established so soon; observe it from onConnected on");
                            }
                        },
                        "onConnected"));
    }

    /** A call on the loop's own thread, whose exception is told to the test. */
    private static Refusal onLoop(String name, Class<? extends Throwable> thrown, OnConnection call, String... words) {
        return refusal(
                name,
                thrown,
                two -> {
                    Connection connection = two.near().connection();
                    CompletableFuture<Object> result = new CompletableFuture<>();
                    two.client.execute(now -> {
                        try {
                            call.run(connection);
                            result.complete("");
                        } catch (Throwable e) {
                            result.completeExceptionally(e);
                        }
                    });
                    try {
                        result.get();
                    } catch (java.util.concurrent.ExecutionException e) {
                        throw (Exception) e.getCause();
                    }
                },
                words);
    }

    private interface OnConnection {
        void run(Connection connection);
    }

    private static List<Refusal> ofConfigurations() {
        return List.of(
                config(
                        "backend null",
                        () -> TransportConfig.builder().backend(null).build(),
                        "backend is null"),
                config(
                        "idleMode null",
                        () -> TransportConfig.builder().idleMode(null).build(),
                        "idleMode is null",
                        "default"),
                config("slack null", () -> TransportConfig.builder().slack(null).build(), "slack is null"),
                config(
                        "pauses null",
                        () -> TransportConfig.builder().pauses(null).build(),
                        "pauses is null"),
                config(
                        "streams null",
                        () -> TransportConfig.builder().streams(null).build(),
                        "streams is null"),
                config(
                        "timers null",
                        () -> TransportConfig.builder().timers(null).build(),
                        "timers is null"),
                config(
                        "stamping null",
                        () -> TransportConfig.builder().stamping(null).build(),
                        "stamping is null"),
                config(
                        "scheduling null",
                        () -> TransportConfig.builder().scheduling(null).build(),
                        "scheduling is null"),
                config(
                        "protocols null",
                        () -> TransportConfig.builder().protocols(null).build(),
                        "protocols is null"),
                config(
                        "a protocol null",
                        () -> TransportConfig.builder()
                                .protocols(Collections.singletonList(null))
                                .build(),
                        "null"),
                config(
                        "prefer null",
                        () -> TransportConfig.builder().prefer(null).build(),
                        "prefer is null"));
    }

    private static List<Refusal> ofLimits() {
        long huge = Long.MAX_VALUE;
        return List.of(
                config(
                        "drainNanosMax negative",
                        () -> TransportConfig.builder().drainNanosMax(-1).build(),
                        "drainNanosMax=-1",
                        "0"),
                config(
                        "drainNanosMax huge",
                        () -> TransportConfig.builder().drainNanosMax(huge).build(),
                        "drainNanosMax=",
                        "3600000000000"),
                config(
                        "linkRateBps huge",
                        () -> TransportConfig.builder().linkRateBps(huge).build(),
                        "linkRateBps="),
                config(
                        "frameCount huge",
                        () -> TransportConfig.builder()
                                .frameCount(Integer.MAX_VALUE)
                                .build(),
                        "524288"),
                config(
                        "host addresses null",
                        () -> HostConfig.builder(1, null, 1_000_000_000L).build(),
                        "addresses is null"),
                config(
                        "host streams null",
                        () -> HostConfig.builder(1, List.of(), 1_000_000_000L)
                                .streams(null)
                                .build(),
                        "streams is null"),
                config(
                        "host timers null",
                        () -> HostConfig.builder(1, List.of(), 1_000_000_000L)
                                .timers(null)
                                .build(),
                        "timers is null"));
    }

    private static List<Refusal> ofStreamsAndTimers() {
        StreamLimits streams = StreamLimits.GROWING;
        ConnectionTimers timers = ConnectionTimers.DEFAULT;
        long huge = Long.MAX_VALUE;
        return List.of(
                config(
                        "gapsMax huge",
                        () -> StreamLimits.fixed(4096, 4096).withGapsMax(Integer.MAX_VALUE),
                        "gapsMax=2147483647",
                        "65536"),
                config(
                        "framesInFlightMax huge",
                        () -> StreamLimits.fixed(4096, 4096).withFramesInFlightMax(Integer.MAX_VALUE),
                        "framesInFlightMax=2147483647"),
                config(
                        "ackFrames huge",
                        () -> StreamLimits.fixed(4096, 4096).withAckFrames(Integer.MAX_VALUE),
                        "ackFrames=2147483647"),
                config(
                        "memoryBytesMax huge",
                        () -> StreamLimits.fixed(4096, 4096).withMemoryBytesMax(huge),
                        "memoryBytesMax="),
                config(
                        "userTimeoutNanos huge",
                        () -> timers.toBuilder().userTimeoutNanos(huge).build(),
                        "userTimeoutNanos=",
                        "an hour"),
                config(
                        "lingerNanos huge",
                        () -> timers.toBuilder().lingerNanos(huge).build(),
                        "lingerNanos=",
                        "an hour"),
                refusal(
                        "streams and timers as they are",
                        ConfigException.class,
                        two -> StreamLimits.fixed(streams.sendBufferBytes(), 0)
                                .withGapsMax(1)
                                .withFramesInFlightMax((int) timers.lingerNanos())
                                .withAckFrames(1),
                        "receiveBufferBytes=0"));
    }
}
