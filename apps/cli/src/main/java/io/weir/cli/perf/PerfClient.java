package io.weir.cli.perf;

import io.weir.cli.perf.carrier.Endpoint;
import io.weir.cli.perf.carrier.OnLoop;
import io.weir.transport.runtime.OwnTimeLimit;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Asks a server for one test and does it. */
final class PerfClient {
    private final Endpoint endpoint;
    private final InetSocketAddress server;
    private final SessionConfig config;
    private final long connectNanosMax;
    private final int clientPort;

    /**
     * Creates a client.
     *
     * @param connectNanosMax how long connecting may take
     * @param clientPort the first stream's port, those of the others follow; 0 for any
     */
    PerfClient(
            Endpoint endpoint, InetSocketAddress server, SessionConfig config, long connectNanosMax, int clientPort) {
        this.endpoint = endpoint;
        this.server = server;
        this.config = config;
        this.connectNanosMax = connectNanosMax;
        this.clientPort = clientPort;
    }

    /**
     * Does the test.
     *
     * @return what was found, until the test was cut off or over
     * @throws IOException if there was no test
     */
    PerfResult run(TestSpec spec) throws IOException {
        return run(spec, spec.verifySeed());
    }

    /** Does the test with payload that is made from another seed than the server is told. */
    PerfResult run(TestSpec spec, Long payloadSeed) throws IOException {
        ControlChannel control = new ControlChannel(endpoint);
        config.stop().whenAsked(control::signal);
        endpoint.execute(null, now -> control.write(Preface.control().encoded()));
        // On the loop that has its tasks.
        endpoint.connect(server, 0, true, control);
        try {
            awaitConnected(control);
            requireProtocol(control);
            control.send(ControlMessage.request(spec));
            awaitAnswer(control);
            PerfResult result = test(spec, control, payloadSeed);
            control.close();
            if (result.ended() == null) {
                control.awaitClosed(config.stop());
            }
            return result;
        } catch (IOException e) {
            control.abort();
            throw e;
        }
    }

    private PerfResult test(TestSpec spec, ControlChannel control, Long payloadSeed) throws IOException {
        TestSession session = new TestSession(Role.CLIENT, spec, endpoint, control, config, address(), payloadSeed);
        try {
            for (int stream = 0; stream < spec.streamCount(); stream++) {
                // A workload's messages find any of its connections, on one loop.
                boolean isFirst = spec.kind() == Kind.WORKLOAD;
                endpoint.connect(
                        server,
                        clientPort == 0 ? 0 : clientPort + stream,
                        isFirst,
                        session.streams().get(stream));
            }
            return session.run();
        } finally {
            session.abandon();
        }
    }

    private void awaitConnected(ControlChannel control) throws IOException {
        OwnTimeLimit limit = OwnTimeLimit.ofNanos(connectNanosMax);
        ControlEvent event = ControlEvent.SIGNAL;
        while (event != null && event.kind() == ControlEvent.Kind.SIGNAL) {
            event = control.poll(limit, config.stop());
        }
        if (event == null) {
            throw new SocketTimeoutException(
                    address() + " did not answer within " + TimeUnit.NANOSECONDS.toMillis(connectNanosMax) + " ms"
                            + limit.remark() + "; is weir perf -s running there?" + skipped());
        }
        if (event.kind() != ControlEvent.Kind.CONNECTED) {
            throw new ConnectException(
                    switch (event.closeReason()) {
                        case REFUSED -> "nobody listens at " + address() + "; start weir perf -s there";
                        case NO_PROTOCOL -> address() + " speaks no protocol that this end speaks";
                        default ->
                            address() + " did not answer ("
                                    + event.closeReason().phrase() + "); is weir perf -s running there?" + skipped();
                    });
        }
    }

    /** {@return what the kernel kept of what came for this end, for a message that something did not come} */
    private String skipped() {
        Map<String, Long> counts = endpoint.skippedFrames();
        return counts.isEmpty()
                ? ""
                : "; frames came for this end that Weir does not take: "
                        + counts.entrySet().stream()
                                .map(count -> count.getValue() + " " + count.getKey())
                                .collect(Collectors.joining(", "));
    }

    /**
     * A peer that does not speak what was asked for chooses something else; a test of that is none that was asked for.
     */
    private void requireProtocol(ControlChannel control) throws IOException {
        String asked = endpoint.protocol();
        String agreed = OnLoop.call(endpoint, control.link(), control::protocol);
        if (!agreed.equals(asked)) {
            throw new ProtocolException(address() + " does not speak " + asked + ", and would use " + agreed
                    + "; run the same release at both ends, or give --protocol " + agreed);
        }
    }

    private ControlMessage awaitAnswer(ControlChannel control) throws IOException {
        OwnTimeLimit limit = OwnTimeLimit.ofNanos(config.patienceNanos());
        while (true) {
            ControlEvent event = control.poll(limit, config.stop());
            if (event == null) {
                throw new SocketTimeoutException(address() + " did not answer the request for a test within "
                        + TimeUnit.NANOSECONDS.toSeconds(config.patienceNanos()) + " s" + limit.remark()
                        + "; a higher --patience waits longer" + skipped());
            }
            switch (event.kind()) {
                case MESSAGE -> {
                    if (isAnswer(event.message())) {
                        return event.message();
                    }
                }
                case MALFORMED -> throw new ProtocolException(event.problem());
                case ENDED, CLOSED ->
                    throw new ProtocolException(address() + " ended the connection instead of answering");
                case CONNECTED, SIGNAL -> {
                    // The answer follows.
                }
            }
        }
    }

    /** {@return where the server waits for one test over the kernel's TCP} */
    int askForKernelPort() throws IOException {
        ControlChannel control = new ControlChannel(endpoint);
        config.stop().whenAsked(control::signal);
        endpoint.execute(null, now -> control.write(Preface.control().encoded()));
        endpoint.connect(server, 0, true, control);
        try {
            awaitConnected(control);
            control.send(ControlMessage.of(ControlMessage.Type.KERNEL));
            ControlMessage answer = awaitAnswer(control);
            control.close();
            control.awaitClosed(config.stop());
            return answer.port() == null ? 0 : answer.port();
        } catch (IOException e) {
            control.abort();
            throw e;
        }
    }

    private boolean isAnswer(ControlMessage message) throws IOException {
        return switch (message.type()) {
            case ACCEPTED, PORT -> true;
            case ALIVE -> false;
            case REFUSED, FAILED -> throw new ProtocolException(address() + " refused the test: " + message.reason());
            default -> throw new ProtocolException(address() + " answered the request with " + message.type());
        };
    }

    private String address() {
        return server.getAddress().getHostAddress() + ":" + server.getPort();
    }
}
