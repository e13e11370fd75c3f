package io.weir.transport.scenario.run;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.scenario.Traffic;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongArrayList;

/** Asks all servers of an exchange at once, waits for all answers, and asks again. */
final class ExchangeClient {
    private final Traffic.Exchange exchange;
    private final World world;
    private final Endpoints endpoints;
    private final int host;
    private final int[] servers;
    private final long warmUpNanos;
    private final ByteTally received = new ByteTally();
    private final Link[] links;
    private final LongArrayList roundNanos = new LongArrayList();
    /** Rounds whose answers are all there, at most exchange.rounds(). */
    private int roundsDone;
    /** Answers of this round that are not there; its last one begins the next round. */
    private int answersMissing;
    /** When this round's requests were written. */
    private long roundStartNanos;
    /** Why a connection failed, or null; the first reason stays. */
    private String failure;

    ExchangeClient(Traffic.Exchange exchange, World world, Endpoints endpoints, int[] hosts, long warmUpNanos) {
        this.exchange = exchange;
        this.world = world;
        this.endpoints = endpoints;
        this.host = hosts[0];
        this.servers = Arrays.copyOfRange(hosts, 1, hosts.length);
        this.warmUpNanos = warmUpNanos;
        this.links = new Link[servers.length];
    }

    /** Opens the connections, with the first round's requests in their buffers. */
    void start() {
        beginRound();
        for (int i = 0; i < links.length; i++) {
            links[i] = new Link();
            // Rounds count what was answered.
            ExchangeServer server = new ExchangeServer(
                    exchange.requestBytes(), exchange.responseBytes(), new ByteTally(), connection -> {});
            links[i].connection = endpoints.open(host, servers[i], exchange.protocol(), links[i], server);
            if (links[i].connection == null) {
                failure = "NO_CONNECTION";
                return;
            }
            links[i].ask();
        }
    }

    private void beginRound() {
        roundStartNanos = world.nowNanos();
        answersMissing = links.length;
    }

    private void nextRound() {
        if (failure == null) {
            beginRound();
            for (Link link : links) {
                link.ask();
            }
        }
    }

    private void onAnswer() {
        answersMissing--;
        if (answersMissing > 0) {
            return;
        }
        if (roundStartNanos >= warmUpNanos) {
            roundNanos.addLong(world.nowNanos() - roundStartNanos);
        }
        roundsDone++;
        if (roundsDone == exchange.rounds()) {
            for (Link link : links) {
                link.connection.shutdownOutput();
            }
        } else {
            long atNanos = world.nowNanos() + exchange.gapNanos();
            world.at(atNanos, host, () -> world.whenRunning(host, this::nextRound));
        }
    }

    boolean isDone() {
        return roundsDone == exchange.rounds() || failure != null;
    }

    ByteTally received() {
        return received;
    }

    int host() {
        return host;
    }

    Traffic.Exchange exchange() {
        return exchange;
    }

    long[] roundNanos() {
        return roundNanos.toLongArray();
    }

    /** {@return why it failed, or null} */
    String failure() {
        return failure;
    }

    /** The client's end of one connection. */
    private final class Link implements ConnectionHandler {
        private Connection connection;
        private long unwrittenBytes;
        private long answerBytes;

        void ask() {
            unwrittenBytes += exchange.requestBytes();
            pump();
        }

        private void pump() {
            unwrittenBytes -= ZeroBytes.write(connection, unwrittenBytes);
        }

        @Override
        public void onConnected(Connection established) {
            pump();
        }

        @Override
        public int onData(Connection from, DirectBuffer buffer, int index, int length) {
            received.add(length);
            answerBytes += length;
            if (answerBytes >= exchange.responseBytes()) {
                answerBytes -= exchange.responseBytes();
                onAnswer();
            }
            return length;
        }

        @Override
        public void onEnd(Connection from) {
            // The server answers the end of the requests with its own.
        }

        @Override
        public void onWritable(Connection to) {
            pump();
        }

        @Override
        public void onClosed(Connection from, CloseReason reason) {
            if (reason != CloseReason.FINISHED && failure == null) {
                failure = reason.name();
            }
        }
    }
}
