package io.weir.transport.scenario.run;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.workload.MessagePlan;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongArrayList;

/** Sends messages over connections that stay open, each when it is due, whether or not earlier ones have arrived. */
final class MessageSource {
    private final MessagePlan plan;
    private final World world;
    private final Endpoints endpoints;
    private final long warmUpNanos;
    private final ByteTally received = new ByteTally();
    private final Lane[] lanes;
    /** How long each message took that was due after the warm-up and has arrived. */
    private final LongArrayList tookNanos = new LongArrayList();
    /** The number of the next message; written by {@link #scheduleNext}. */
    private int nextMessage;

    /** Messages that are there as a whole, at most the plan's. */
    private int arrivedCount;
    /** Why a connection failed, or null. */
    private String failure;

    MessageSource(MessagePlan plan, World world, Endpoints endpoints, long warmUpNanos) {
        this.plan = plan;
        this.world = world;
        this.endpoints = endpoints;
        this.warmUpNanos = warmUpNanos;
        this.lanes = new Lane[plan.connectionCount()];
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = new Lane(plan.source(i), plan.destination(i));
        }
    }

    /** Schedules the openings and the first message. */
    void start() {
        for (Lane lane : lanes) {
            world.at(plan.openNanos(), lane.source, () -> world.whenRunning(lane.source, lane::open));
        }
        scheduleNext();
    }

    /** One message schedules the next, so that what is scheduled does not grow with their number. */
    private void scheduleNext() {
        if (nextMessage < plan.messageCount()) {
            Lane lane = lanes[plan.connectionOf(nextMessage)];
            long dueNanos = plan.dueNanos(nextMessage);
            world.at(dueNanos, lane.source, () -> {
                world.whenRunning(lane.source, () -> lane.send(dueNanos));
                nextMessage++;
                scheduleNext();
            });
        }
    }

    boolean isDone() {
        return arrivedCount == plan.messageCount() || failure != null;
    }

    ByteTally received() {
        return received;
    }

    Traffic.Messages traffic() {
        return plan.traffic();
    }

    int connectionCount() {
        return lanes.length;
    }

    /** {@return messages that were due by {@code nowNanos}, and not before the end of the warm-up} */
    long dueCount(long nowNanos) {
        long count = 0;
        for (int i = 0; i < nextMessage; i++) {
            count += plan.dueNanos(i) >= warmUpNanos && plan.dueNanos(i) <= nowNanos ? 1 : 0;
        }
        return count;
    }

    long[] tookNanos() {
        return tookNanos.toLongArray();
    }

    /** {@return credits that all receiving ends have sent} */
    long creditsSent() {
        long sent = 0;
        for (Lane lane : lanes) {
            sent += lane.ledger == null ? 0 : lane.ledger.sent();
        }
        return sent;
    }

    /** {@return why it failed, or null} */
    String failure() {
        return failure;
    }

    /** One connection: its sending end, and what its receiving end has still to see. */
    private final class Lane implements ConnectionHandler {
        private final int source;
        private final int destination;
        /** When each message was due that was given to the connection, in their order. */
        private final LongArrayList dueNanos = new LongArrayList();

        // The sending end's connection and the receiving end's ledger, null before each is there.
        private Connection connection;
        private CreditLedger ledger;
        /** Bytes of messages that were due and that the send buffer has had no room for. */
        private long unwrittenBytes;
        /** Messages of {@link #dueNanos} that have arrived. */
        private int arrived;
        /** Bytes of the next one that have arrived. */
        private long partBytes;

        Lane(int source, int destination) {
            this.source = source;
            this.destination = destination;
        }

        void open() {
            connection = endpoints.open(source, destination, plan.traffic().protocol(), this, new Sink(this));
            if (connection == null) {
                failure = "NO_CONNECTION";
            } else {
                pump();
            }
        }

        void send(long atNanos) {
            dueNanos.addLong(atNanos);
            unwrittenBytes += plan.traffic().bytes();
            pump();
        }

        private void pump() {
            if (connection != null && failure == null) {
                unwrittenBytes -= ZeroBytes.write(connection, unwrittenBytes);
            }
        }

        void onArrived(int bytes) {
            received.add(bytes);
            partBytes += bytes;
            while (partBytes >= plan.traffic().bytes()) {
                partBytes -= plan.traffic().bytes();
                long atNanos = dueNanos.getLong(arrived++);
                arrivedCount++;
                if (atNanos >= warmUpNanos) {
                    tookNanos.addLong(world.nowNanos() - atNanos);
                }
            }
        }

        @Override
        public void onConnected(Connection established) {
            pump();
        }

        @Override
        public int onData(Connection from, DirectBuffer buffer, int index, int length) {
            return length;
        }

        @Override
        public void onEnd(Connection from) {
            // The receiving end says nothing.
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

    /** The receiving end of a connection. */
    private static final class Sink implements ConnectionHandler {
        private final Lane lane;

        Sink(Lane lane) {
            this.lane = lane;
        }

        @Override
        public void onConnected(Connection connection) {
            lane.ledger = connection.creditLedger();
        }

        @Override
        public int onData(Connection from, DirectBuffer buffer, int index, int length) {
            lane.onArrived(length);
            return length;
        }

        @Override
        public void onEnd(Connection from) {
            from.shutdownOutput();
        }

        @Override
        public void onWritable(Connection to) {
            // Nothing is sent this way.
        }

        @Override
        public void onClosed(Connection from, CloseReason reason) {
            // The sending end knows how it ended.
        }
    }
}
