package io.weir.transport.scenario.run;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.protocol.CreditUse;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.workload.CallPlan;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongArrayList;

/** Calls over connections that stay open: each asks again, by itself, when a response is complete. */
final class CallSource {
    private final CallPlan plan;
    private final World world;
    private final Endpoints endpoints;
    private final long warmUpNanos;
    private final ByteTally received = new ByteTally();
    private final List<Line> lines = new ArrayList<>();
    private final List<CreditLedger> ledgers = new ArrayList<>();
    private final List<CreditUse> uses = new ArrayList<>();
    /** How long each call took that was made after the warm-up and has its response. */
    private final LongArrayList tookNanos = new LongArrayList();
    /** Responses that are there as a whole, of all connections. */
    private long answeredCount;
    /** Why a connection failed, or null; the first reason stays. */
    private String failure;

    CallSource(CallPlan plan, World world, Endpoints endpoints, long warmUpNanos) {
        this.plan = plan;
        this.world = world;
        this.endpoints = endpoints;
        this.warmUpNanos = warmUpNanos;
        for (int i = 0; i < plan.connectionCount(); i++) {
            lines.add(new Line(i));
        }
    }

    /** Schedules the openings and the first calls. */
    void start() {
        for (Line line : lines) {
            line.at(plan.openNanos(line.number), line::open);
            line.at(plan.startNanos(line.number), line::begin);
        }
    }

    boolean isDone() {
        return answeredCount == (long) lines.size() * plan.traffic().rounds() || failure != null;
    }

    /** {@return the payload of requests and responses} */
    ByteTally received() {
        return received;
    }

    Traffic.Calls traffic() {
        return plan.traffic();
    }

    int connectionCount() {
        return lines.size();
    }

    long[] tookNanos() {
        return tookNanos.toLongArray();
    }

    /** {@return the fate of all credits, of both directions; null for a protocol without} */
    FlowResult.Credits credits() {
        return uses.isEmpty()
                ? null
                : new FlowResult.Credits(
                        ledgers.stream().mapToLong(CreditLedger::sent).sum(),
                        uses.stream().mapToLong(CreditUse::received).sum(),
                        uses.stream().mapToLong(CreditUse::used).sum(),
                        uses.stream().mapToLong(CreditUse::wasted).sum(),
                        uses.stream().mapToLong(CreditUse::expired).sum(),
                        ledgers.stream().mapToLong(CreditLedger::lost).sum());
    }

    /** {@return why it failed, or null} */
    String failure() {
        return failure;
    }

    /** Keeps both halves of a connection's credits at one end; they outlive the connection. */
    private void onEstablished(Connection end) {
        if (end.creditLedger() != null) {
            ledgers.add(end.creditLedger());
        }
        if (end.creditUse() != null) {
            uses.add(end.creditUse());
        }
    }

    /** The client's end of one connection. */
    private final class Line implements ConnectionHandler {
        private final int number;
        private final int client;
        /** When each call was made whose response is not complete, the oldest first. */
        private final LongArrayList askedNanos = new LongArrayList();

        /** Null before it opens. */
        private Connection connection;
        /** Bytes of requests that the send buffer has had no room for. */
        private long unwrittenBytes;
        /** Bytes of the next response that have arrived. */
        private long partBytes;
        /** Calls that were made, at most the plan's rounds. */
        private int askedCount;

        Line(int number) {
            this.number = number;
            this.client = plan.client(number);
        }

        void at(long nanos, Runnable action) {
            world.at(nanos, client, () -> world.whenRunning(client, action));
        }

        void open() {
            ExchangeServer server = new ExchangeServer(
                    plan.traffic().requestBytes(),
                    plan.traffic().responseBytes(),
                    received,
                    CallSource.this::onEstablished);
            connection =
                    endpoints.open(client, plan.server(number), plan.traffic().protocol(), this, server);
            if (connection == null) {
                failure = "NO_CONNECTION";
            }
        }

        void begin() {
            for (int i = 0; i < plan.traffic().outstanding(); i++) {
                ask();
            }
        }

        private void ask() {
            if (askedCount < plan.traffic().rounds() && failure == null) {
                askedCount++;
                askedNanos.addLong(world.nowNanos());
                unwrittenBytes += plan.traffic().requestBytes();
                pump();
            }
        }

        private void pump() {
            if (failure == null) {
                unwrittenBytes -= ZeroBytes.write(connection, unwrittenBytes);
            }
        }

        private void onAnswer() {
            long atNanos = askedNanos.removeAt(0);
            answeredCount++;
            if (atNanos >= warmUpNanos) {
                tookNanos.addLong(world.nowNanos() - atNanos);
            }
            long gapNanos = plan.traffic().gapNanos();
            if (gapNanos == 0) {
                ask();
            } else {
                at(world.nowNanos() + gapNanos, this::ask);
            }
        }

        @Override
        public void onConnected(Connection established) {
            onEstablished(established);
            pump();
        }

        @Override
        public int onData(Connection from, DirectBuffer buffer, int index, int length) {
            received.add(length);
            partBytes += length;
            while (partBytes >= plan.traffic().responseBytes()) {
                partBytes -= plan.traffic().responseBytes();
                onAnswer();
            }
            return length;
        }

        @Override
        public void onEnd(Connection from) {
            // The server ends nothing before the client does.
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
