package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.environment.StopRequest;
import io.weir.cli.output.Criterion;
import io.weir.cli.perf.carrier.EndpointPair;
import io.weir.cli.perf.carrier.WeirEndpoint;
import io.weir.nic.testing.Deadline;
import io.weir.transport.frame.FramePool;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.protocol.peers.NewReno;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a server and its clients over a link in memory: tests that go well, and clients that do not. */
class PerfServerTest {
    private static final int PORT = 5201;
    private static final long SECOND = 1_000_000_000;
    /** Against hangs: a busy machine may take its time. */
    private static final long PATIENCE_NANOS = Deadline.HANG_GUARD.toNanos();

    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.0.0.2", PORT);

    private EndpointPair ends;
    private WeirEndpoint clientEnd;
    private WeirEndpoint serverEnd;
    private PerfServer server;

    @BeforeEach
    void open() throws IOException {
        TransportConfig config =
                TransportConfig.builder().linkRateBps(1_000_000_000).build();
        ends = EndpointPair.inMemory(config);
        clientEnd = ends.client();
        serverEnd = ends.server();
        server = new PerfServer(config(PATIENCE_NANOS));
        server.listen(serverEnd, PORT);
    }

    @AfterEach
    void close() {
        ends.close();
    }

    private static SessionConfig config(long patienceNanos, PerfListener... listeners) {
        return SessionConfig.of(SECOND, patienceNanos, List.of(listeners), new StopRequest());
    }

    private PerfClient client(PerfListener... listeners) {
        return new PerfClient(clientEnd, ADDRESS, config(PATIENCE_NANOS, listeners), PATIENCE_NANOS, 0);
    }

    private CompletableFuture<PerfResult> serve() {
        return Background.run(server::serve);
    }

    private static boolean isOk(PerfResult result) {
        return PerfCriteria.of(result).stream().allMatch(Criterion::met);
    }

    @Test
    void run_bytes_bothEndsSeeTheSame() throws Exception {
        CompletableFuture<PerfResult> served = serve();
        PerfResult client = client().run(Specs.bytes(2_000_000));
        PerfResult server = served.get();
        assertTrue(isOk(client), client.toString());
        assertTrue(isOk(server), server.toString());
        assertEquals(client.client(), server.client());
        assertEquals(client.server(), server.server());
        assertEquals(2_000_000, client.server().bytes(false));
        assertEquals(2_000_000, client.client().bytes(true));
    }

    @Test
    void run_verifiedEachWay_digestsAgree() throws Exception {
        for (Direction direction : Direction.values()) {
            CompletableFuture<PerfResult> served = serve();
            PerfResult result = client().run(Specs.verified(300_000, direction, 42));
            assertTrue(isOk(result), result.toString());
            assertTrue(isOk(served.get()));
            assertEquals(
                    result.client().streams().get(0).sha256(),
                    result.server().streams().get(0).sha256());
            assertNotNull(result.client().streams().get(0).sha256());
        }
    }

    @Test
    void run_payloadOfAnotherSeed_isFoundWhereItArrives() throws Exception {
        CompletableFuture<PerfResult> served = serve();
        PerfResult client = client().run(Specs.verified(300_000, Direction.FORWARD, 42), 43L);
        assertFalse(isOk(client), client.toString());
        assertFalse(isOk(served.get()));
        assertNotNull(client.server().streams().get(0).firstWrongOffset());
        assertNull(client.client().streams().get(0).failure());
    }

    @Test
    void run_whileAnotherIsServed_isRefusedPolitely() throws Exception {
        CompletableFuture<PerfResult> served = serve();
        CompletableFuture<Void> isRunning = new CompletableFuture<>();
        CompletableFuture<Void> mayGoOn = new CompletableFuture<>();
        CompletableFuture<PerfResult> first = Background.run(
                () -> client(new StartListener(isRunning, mayGoOn)).run(Specs.bytes(1_000)));
        isRunning.get();
        IOException refusal = assertThrows(IOException.class, () -> client().run(Specs.bytes(1_000)));
        assertTrue(refusal.getMessage().contains("busy with another test"), refusal.getMessage());
        mayGoOn.complete(null);
        assertTrue(isOk(first.get()));
        assertTrue(isOk(served.get()));
    }

    @Test
    void serve_clientVanishes_endsTheTestAndServesTheNext() throws Exception {
        server = new PerfServer(config(3 * SECOND));
        server.listen(serverEnd, PORT + 1);
        CompletableFuture<PerfResult> served = serve();
        ControlChannel control = new ControlChannel(clientEnd);
        clientEnd.execute(null, now -> control.write(Preface.control().encoded()));
        clientEnd.connect(new InetSocketAddress("10.0.0.2", PORT + 1), 0, true, control);
        control.send(ControlMessage.request(Specs.time(60 * SECOND)));
        String message =
                assertThrows(ExecutionException.class, served::get).getCause().getMessage();
        // Both limits are of 3 s; which is noticed first depends on the scheduler.
        boolean isNamed =
                message.contains("was not heard from for 3 s") || message.contains("in vain for data connections");
        assertTrue(isNamed, message);

        CompletableFuture<PerfResult> next = serve();
        PerfClient client = new PerfClient(
                clientEnd, new InetSocketAddress("10.0.0.2", PORT + 1), config(PATIENCE_NANOS), PATIENCE_NANOS, 0);
        assertTrue(isOk(client.run(Specs.bytes(1_000))));
        assertTrue(isOk(next.get()));
    }

    @Test
    void serve_clientAsksForNothing_saysHowLongItWaitedAndWhatWaitsLonger() throws Exception {
        server = new PerfServer(config(SECOND));
        server.listen(serverEnd, PORT + 2);
        CompletableFuture<PerfResult> served = serve();
        ControlChannel control = new ControlChannel(clientEnd);
        clientEnd.execute(null, now -> control.write(Preface.control().encoded()));
        clientEnd.connect(new InetSocketAddress("10.0.0.2", PORT + 2), 0, true, control);
        String message =
                assertThrows(ExecutionException.class, served::get).getCause().getMessage();
        assertTrue(message.contains("connected and asked for nothing within 1 s"), message);
        assertTrue(message.endsWith("; a higher --patience waits longer"), message);
    }

    @Test
    void serve_clientResets_endsTheTestAtOnceAndServesTheNext() throws Exception {
        CompletableFuture<PerfResult> served = serve();
        ControlChannel control = new ControlChannel(clientEnd);
        clientEnd.execute(null, now -> control.write(Preface.control().encoded()));
        clientEnd.connect(ADDRESS, 0, true, control);
        control.send(ControlMessage.request(Specs.time(60 * SECOND)));
        ControlEvent event = control.poll(PATIENCE_NANOS, new StopRequest());
        while (event.kind() != ControlEvent.Kind.MESSAGE) {
            event = control.poll(PATIENCE_NANOS, new StopRequest());
        }
        assertEquals(ControlMessage.Type.ACCEPTED, event.message().type());
        control.abort();
        String message =
                assertThrows(ExecutionException.class, served::get).getCause().getMessage();
        assertTrue(message.contains("ended its control connection before the test was over"), message);

        CompletableFuture<PerfResult> next = serve();
        assertTrue(isOk(client().run(Specs.bytes(1_000))));
        assertTrue(isOk(next.get()));
    }

    @Test
    void serve_malformedRequest_isRefusedWithTheReason() throws Exception {
        CompletableFuture<PerfResult> served = serve();
        byte[] json = "{\"version\":9}".getBytes(StandardCharsets.UTF_8);
        try (WeirSocket socket = clientEnd.transport().connect(ADDRESS, Deadline.HANG_GUARD)) {
            socket.write(ByteBuffer.wrap(Preface.control().encoded()));
            socket.write(ByteBuffer.allocate(Integer.BYTES + json.length)
                    .putInt(json.length)
                    .put(json)
                    .flip());
            byte[] answer = socket.inputStream().readAllBytes();
            String text = new String(answer, 4, answer.length - 4, StandardCharsets.UTF_8);
            assertTrue(text.contains("\"refused\"") && text.contains("version 9"), text);
        }
        assertThrows(ExecutionException.class, served::get);
    }

    @Test
    void serve_connectionWithoutPrefaceOrTest_isReset() throws Exception {
        for (byte[] opening :
                List.of(new byte[Preface.BYTES], Preface.data(Specs.ID, 0).encoded())) {
            try (WeirSocket socket = clientEnd.transport().connect(ADDRESS, Deadline.HANG_GUARD)) {
                socket.write(ByteBuffer.wrap(opening));
                assertThrows(SocketException.class, () -> socket.read(ByteBuffer.allocate(1)));
            }
        }
        CompletableFuture<PerfResult> served = serve();
        assertTrue(isOk(client().run(Specs.bytes(1_000))));
        assertTrue(isOk(served.get()));
    }

    @Test
    void run_serverDoesNotSpeakTheProtocol_isGivenUpNamingWhatItWouldUse() throws Exception {
        TransportConfig wanting =
                TransportConfig.builder().prefer(NewReno.KIND.usual()).build();
        TransportConfig lacking =
                TransportConfig.builder().protocols(List.of(ExpressPass.weir())).build();
        FramePool left = new FramePool(1_024, 2_048);
        FramePool right = new FramePool(1_024, 2_048);
        List<NetInterface> pair = MemoryNetwork.pair(left, right, 1_500, 1_000_000_000);
        try (WeirEndpoint near = new WeirEndpoint(Transport.open(pair.get(0), left, wanting), wanting, null);
                WeirEndpoint far = new WeirEndpoint(Transport.open(pair.get(1), right, lacking), lacking, null)) {
            new PerfServer(config(SECOND)).listen(far, PORT);
            PerfClient client = new PerfClient(near, ADDRESS, config(PATIENCE_NANOS), PATIENCE_NANOS, 0);
            IOException failure = assertThrows(IOException.class, () -> client.run(Specs.bytes(1)));
            assertEquals(
                    "10.0.0.2:5201 does not speak newreno, and would use expresspass; run the same release at both ends, or"
                            + " give --protocol expresspass",
                    failure.getMessage());
        }
    }

    @Test
    void run_nobodyListens_saysSo() {
        PerfClient client = new PerfClient(
                clientEnd, new InetSocketAddress("10.0.0.2", PORT + 7), config(PATIENCE_NANOS), PATIENCE_NANOS, 0);
        IOException failure = assertThrows(IOException.class, () -> client.run(Specs.bytes(1)));
        assertTrue(failure.getMessage().contains("nobody listens at 10.0.0.2:5208"), failure.getMessage());
    }

    /** Tells when data is to flow, and holds the client up until it may. */
    private record StartListener(CompletableFuture<Void> started, CompletableFuture<Void> mayGoOn)
            implements PerfListener {
        @Override
        public void onStart(TestStart start) {
            started.complete(null);
            mayGoOn.join();
        }

        @Override
        public void onInterval(Interval interval, Histogram latencies) {}

        @Override
        public void onEnd(Histogram latencies) {}
    }
}
