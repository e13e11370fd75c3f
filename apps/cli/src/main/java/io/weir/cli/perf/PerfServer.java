package io.weir.cli.perf;

import io.weir.cli.environment.EnvironmentException;
import io.weir.cli.perf.carrier.Endpoint;
import io.weir.cli.perf.carrier.KernelEndpoint;
import io.weir.cli.perf.carrier.KernelSettings;
import io.weir.cli.perf.carrier.Link;
import io.weir.cli.perf.carrier.LinkHandler;
import io.weir.transport.host.CloseReason;
import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.OwnTimeLimit;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Serves tests, one at a time; a client that comes meanwhile is told so. A client that fails ends its own test alone.
 */
final class PerfServer {
    private final SessionConfig config;
    private final long idleNanosMax;
    private final BlockingQueue<Client> clients = new LinkedBlockingQueue<>();
    /** Whose test is done or about to be, or null: others are refused. It is free before its client knows the end. */
    private final AtomicReference<ControlChannel> busy = new AtomicReference<>();

    private volatile TestSession current;
    /** Why nobody can be served any more, or null; written by the loop's thread. */
    private volatile CloseReason end;
    /** What makes room for tests over the kernel's TCP, or null. Written before there is a client. */
    private KernelTurn kernelTurn;
    /** The control connection of the client that is served, or null. Written by the serving thread. */
    private volatile ControlChannel serving;

    /** A client that is served next. */
    private record Client(Endpoint endpoint, ControlChannel control, String address) {
        /** Nobody: the interface has ended, or the server is to stop. */
        private static final Client NOBODY = new Client(null, null, "");
    }

    PerfServer(SessionConfig config) {
        this(config, 0);
    }

    /**
     * Creates a server that serves nobody yet.
     *
     * @param idleNanosMax how long to wait for a client, or 0 for any time
     */
    PerfServer(SessionConfig config, long idleNanosMax) {
        this.config = config;
        this.idleNanosMax = idleNanosMax;
        config.stop().whenAsked(this::wake);
    }

    /** Takes Weir's port out of the way of a test over the kernel's TCP, on the serving thread. */
    interface KernelTurn {
        /** Such a test comes: no client has a connection of Weir's any more. */
        void begin() throws IOException;

        /** It is over, or did not come. */
        void end() throws IOException;
    }

    /** Lets clients ask for tests over the kernel's TCP. */
    void setKernelTurn(KernelTurn turn) {
        kernelTurn = turn;
    }

    /** Has the serving thread look whether the server is to stop. */
    private void wake() {
        clients.add(Client.NOBODY);
        ControlChannel control = serving;
        if (control != null) {
            control.signal();
        }
    }

    /**
     * Begins to take connections; {@link #serve} tells if the interface ends, unless it will be opened again.
     *
     * @return the port: of the kernel's where 0 asks for any
     */
    int listen(Endpoint endpoint, int port) throws IOException {
        endpoint.whenEnded(reason -> {
            end = reason;
            clients.add(Client.NOBODY);
        });
        return endpoint.listen(port, link -> new IncomingConnection((preface, from) -> route(endpoint, preface, from)));
    }

    /** {@return who has the connection from its preface on, or null for nobody; the loop's thread} */
    private LinkHandler route(Endpoint endpoint, Preface preface, Link link) {
        if (preface.isControl()) {
            return control(endpoint, link);
        }
        TestSession session = current;
        return session == null || !session.spec().id().equals(preface.testId())
                ? null
                : session.attach(preface.stream(), link);
    }

    private ControlChannel control(Endpoint endpoint, Link link) {
        ControlChannel channel = new ControlChannel(endpoint);
        channel.onConnected(link);
        if (busy.compareAndSet(null, channel)) {
            clients.add(new Client(endpoint, channel, StreamReport.text(link.remote())));
        } else {
            refuse(channel, "the server is busy with another test; try again when that is over");
        }
        return channel;
    }

    private static void refuse(ControlChannel channel, String reason) {
        channel.send(ControlMessage.because(ControlMessage.Type.REFUSED, reason));
        channel.close();
    }

    /**
     * Waits for a client and serves it.
     *
     * @return what was found, until the test was cut off or over; null if nobody came for as long as may be
     * @throws InterruptedIOException if the server is to stop
     * @throws IOException if there was no test; the server can serve the next
     * @throws EnvironmentException if the interface has ended, so that nobody can be served any more
     */
    PerfResult serve() throws IOException {
        Client client = nextClient(idleNanosMax);
        if (client == null) {
            return null;
        }
        serving = client.control;
        try {
            return serve(client);
        } catch (IOException e) {
            client.control.send(ControlMessage.because(ControlMessage.Type.FAILED, e.getMessage()));
            client.control.close();
            throw e;
        } finally {
            current = null;
            serving = null;
            busy.compareAndSet(client.control, null);
        }
    }

    /** {@return whether the interface has ended} */
    boolean hasEnded() {
        return end != null;
    }

    private void requireInterface() {
        CloseReason reason = end;
        if (reason != null) {
            throw new EnvironmentException("the server ends because " + reason.phrase()
                    + "; with --wait-for-interface it waits for it, and serves again");
        }
    }

    private Client nextClient(long nanosMax) throws InterruptedIOException {
        long startNanos = System.nanoTime();
        while (true) {
            config.stop().requireGoing();
            requireInterface();
            try {
                long leftNanos = nanosMax - (System.nanoTime() - startNanos);
                Client client =
                        nanosMax == 0 ? clients.take() : clients.poll(Math.max(0, leftNanos), TimeUnit.NANOSECONDS);
                if (client == null) {
                    return null;
                }
                if (client.control != null) {
                    requireInterface();
                    return client;
                }
            } catch (InterruptedException e) {
                config.stop().onInterrupt();
            }
        }
    }

    private PerfResult serve(Client client) throws IOException {
        TestSpec spec = request(client);
        return spec == null ? serveKernel(client) : serve(client, spec);
    }

    /** Serves one test over the kernel's TCP to the client, whose port it learns before Weir's goes away. */
    private PerfResult serveKernel(Client client) throws IOException {
        try (KernelEndpoint kernel = KernelEndpoint.open(KernelSettings.DEFAULT)) {
            int port = listen(kernel, 0);
            busy.compareAndSet(client.control, null);
            client.control.send(ControlMessage.port(port));
            client.control.close();
            client.control.awaitClosed(config.stop());
            kernelTurn.begin();
            Client next = nextClient(config.patienceNanos());
            if (next == null) {
                throw new SocketTimeoutException(client.address + " did not come for the test over the kernel's TCP");
            }
            serving = next.control;
            try {
                return serve(next, request(next));
            } finally {
                busy.compareAndSet(next.control, null);
            }
        } finally {
            kernelTurn.end();
        }
    }

    /** Refuses what the server's limits do not let a client do. */
    private void requireAllowed(Client client, TestSpec spec) throws IOException {
        long limitBps = config.limits().bitrateBps();
        if (limitBps > 0 && spec.bitrateBps() * spec.streamCount() > limitBps) {
            throw refused(
                    client,
                    "a test of " + spec.bitrateBps() * spec.streamCount() + " bit/s is more than the " + limitBps
                            + " of this server's --server-bitrate-limit; give a lower -b");
        }
    }

    private PerfResult serve(Client client, TestSpec spec) throws IOException {
        requireAllowed(client, spec);
        TestSession session = session(client, spec);
        current = session;
        client.control.send(ControlMessage.of(ControlMessage.Type.ACCEPTED));
        try {
            PerfResult result = session.run();
            current = null;
            busy.compareAndSet(client.control, null);
            client.control.close();
            if (result.ended() == null) {
                client.control.awaitClosed(config.stop());
            }
            return result;
        } finally {
            session.abandon();
        }
    }

    private TestSession session(Client client, TestSpec spec) throws IOException {
        try {
            return new TestSession(
                    Role.SERVER, spec, client.endpoint, client.control, config, client.address, spec.verifySeed());
        } catch (ConfigException e) {
            // This server's file, for one test: the client is told, and the next one may ask for another.
            throw new IOException("the server cannot do it: " + e.getMessage(), e);
        }
    }

    /** {@return the test that the client asks for, or null if it asks for one over the kernel's TCP} */
    private TestSpec request(Client client) throws IOException {
        OwnTimeLimit limit = OwnTimeLimit.ofNanos(config.patienceNanos());
        while (true) {
            ControlEvent event = client.control.poll(limit, config.stop());
            if (event == null) {
                throw new SocketTimeoutException(client.address + " connected and asked for nothing within "
                        + TimeUnit.NANOSECONDS.toSeconds(config.patienceNanos()) + " s" + limit.remark()
                        + "; a higher --patience waits longer");
            }
            switch (event.kind()) {
                case MESSAGE -> {
                    if (event.message().type() == ControlMessage.Type.REQUEST) {
                        return event.message().spec();
                    }
                    if (event.message().type() == ControlMessage.Type.KERNEL && kernelTurn != null) {
                        return null;
                    }
                    throw refused(
                            client, "the first message is " + event.message().type() + ", not a request");
                }
                case MALFORMED -> throw refused(client, event.problem());
                case ENDED, CLOSED -> throw new ProtocolException(client.address + " went away before it asked");
                case CONNECTED, SIGNAL -> {
                    // The request follows.
                }
            }
        }
    }

    private static ProtocolException refused(Client client, String reason) {
        refuse(client.control, reason);
        return new ProtocolException("refused " + client.address + ": " + reason);
    }
}
