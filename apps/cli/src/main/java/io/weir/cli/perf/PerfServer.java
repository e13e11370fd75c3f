package io.weir.cli.perf;

import io.weir.cli.environment.EnvironmentException;
import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.runtime.OwnTimeLimit;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Serves tests, one at a time; a client that comes meanwhile is told so. A client that fails ends its own test alone.
 */
final class PerfServer {
    private final Endpoint endpoint;
    private final SessionConfig config;
    private final BlockingQueue<Client> clients = new LinkedBlockingQueue<>();
    private final AtomicBoolean isBusy = new AtomicBoolean();
    private volatile TestSession current;
    /** Why nobody can be served any more, or null; written by the loop's thread. */
    private volatile CloseReason end;
    /** The control connection of the client that is served, or null. Written by the serving thread. */
    private volatile ControlChannel serving;

    /** A client that is served next. */
    private record Client(ControlChannel control, String address) {
        /** Nobody: the interface has ended, or the server is to stop. */
        private static final Client NOBODY = new Client(null, "");
    }

    PerfServer(Endpoint endpoint, SessionConfig config) {
        this.endpoint = endpoint;
        this.config = config;
        config.stop().whenAsked(this::wake);
    }

    /** Has the serving thread look whether the server is to stop. */
    private void wake() {
        clients.add(Client.NOBODY);
        ControlChannel control = serving;
        if (control != null) {
            control.signal();
        }
    }

    /** Begins to take connections; {@link #serve} tells if the interface ends, unless it will be opened again. */
    void listen(int port) throws IOException {
        if (!endpoint.config().reopen()) {
            endpoint.transport().setInterfaceEndListener(reason -> {
                end = reason;
                clients.add(Client.NOBODY);
            });
            end = endpoint.transport().interfaceEnd();
        }
        endpoint.transport().listen(port, connection -> new IncomingConnection(this::route));
    }

    /** {@return who has the connection from its preface on, or null for nobody; the loop's thread} */
    private ConnectionHandler route(Preface preface, Connection connection) {
        if (preface.isControl()) {
            return control(connection);
        }
        TestSession session = current;
        return session == null || !session.spec().id().equals(preface.testId())
                ? null
                : session.attach(preface.stream(), connection);
    }

    private ControlChannel control(Connection connection) {
        ControlChannel channel = new ControlChannel(endpoint.transport());
        channel.onConnected(connection);
        if (isBusy.compareAndSet(false, true)) {
            clients.add(new Client(channel, addressOf(connection)));
        } else {
            refuse(channel, "the server is busy with another test; try again when that is over");
        }
        return channel;
    }

    private static String addressOf(Connection connection) {
        return connection.path().remote() + ":" + connection.path().remotePort();
    }

    private static void refuse(ControlChannel channel, String reason) {
        channel.send(ControlMessage.because(ControlMessage.Type.REFUSED, reason));
        channel.close();
    }

    /**
     * Waits for a client and serves it.
     *
     * @return what was found, until the test was cut off or over
     * @throws InterruptedIOException if the server is to stop
     * @throws IOException if there was no test; the server can serve the next
     * @throws EnvironmentException if the interface has ended, so that nobody can be served any more
     */
    PerfResult serve() throws IOException {
        Client client = nextClient();
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
            isBusy.set(false);
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

    private Client nextClient() throws InterruptedIOException {
        while (true) {
            config.stop().requireGoing();
            requireInterface();
            try {
                Client client = clients.take();
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
        TestSession session =
                new TestSession(Role.SERVER, spec, endpoint, client.control, config, client.address, spec.verifySeed());
        current = session;
        client.control.send(ControlMessage.of(ControlMessage.Type.ACCEPTED));
        try {
            PerfResult result = session.run();
            client.control.close();
            if (result.ended() == null) {
                client.control.awaitClosed(config.stop());
            }
            return result;
        } finally {
            session.abandon();
        }
    }

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
