package io.weir.transport.scenario;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.time.Deadline;
import java.util.List;

/** What crosses a network: each kind makes flows, or connections over which messages go. */
public sealed interface Traffic
        permits Traffic.Flows, Traffic.Poisson, Traffic.Shuffle, Traffic.Exchange, Traffic.Messages, Traffic.Calls {
    /** The size of a flow that does not end by itself. */
    long UNLIMITED_BYTES = Long.MAX_VALUE;

    /** {@return the name that its flows begin with} */
    String id();

    /** {@return what schedules its flows} */
    ProtocolConfig protocol();

    /** How the hosts of two lists become the ends of flows. */
    enum Pairing {
        /** The first with the first, the second with the second; the shorter list begins again. */
        ZIP,
        /** Each of one list with each of the other, itself excepted. */
        ALL,
        /** At random, a host never with itself. */
        RANDOM
    }

    /**
     * Times of the first, second, third ... flow.
     *
     * @param atNanos the first's
     * @param everyNanos how much later each is than the one before
     * @param spreadNanos a random time below this is added to each
     */
    record Times(long atNanos, long everyNanos, long spreadNanos) {
        /** Everything at once, at the beginning. */
        public static final Times ZERO = new Times(0, 0, 0);
        /** Never. */
        public static final Times NEVER = new Times(Deadline.NO_DEADLINE, 0, 0);
    }

    /**
     * Flows between hosts, one connection each.
     *
     * @param from the sending hosts
     * @param to the receiving hosts
     * @param count how many flows; 0 for as many as the pairing gives
     * @param start when each starts
     * @param stop when each that is unlimited or not done stops
     * @param bytes the size of each, or {@link #UNLIMITED_BYTES}
     * @param onNanos for how long each has something to send ...
     * @param offNanos ... before it pauses for so long; 0 for never
     */
    record Flows(
            String id,
            List<String> from,
            List<String> to,
            Pairing pairing,
            int count,
            Times start,
            Times stop,
            long bytes,
            long onNanos,
            long offNanos,
            ProtocolConfig protocol)
            implements Traffic {
        public Flows {
            from = List.copyOf(from);
            to = List.copyOf(to);
        }

        /** {@return unlimited flows from the first host to the first, from the second to the second, at once} */
        public static Flows of(String id, List<String> from, List<String> to, ProtocolConfig protocol) {
            return new Flows(id, from, to, Pairing.ZIP, 0, Times.ZERO, Times.NEVER, UNLIMITED_BYTES, 0, 0, protocol);
        }

        /** {@return the same between hosts that are paired otherwise} */
        public Flows withPairing(Pairing newPairing) {
            return new Flows(id, from, to, newPairing, count, start, stop, bytes, onNanos, offNanos, protocol);
        }

        /** {@return the same with another number of flows} */
        public Flows withCount(int newCount) {
            return new Flows(id, from, to, pairing, newCount, start, stop, bytes, onNanos, offNanos, protocol);
        }

        /** {@return the same that start at other times} */
        public Flows withStart(Times newStart) {
            return new Flows(id, from, to, pairing, count, newStart, stop, bytes, onNanos, offNanos, protocol);
        }

        /** {@return the same that stop at other times} */
        public Flows withStop(Times newStop) {
            return new Flows(id, from, to, pairing, count, start, newStop, bytes, onNanos, offNanos, protocol);
        }

        /** {@return the same with flows of another size} */
        public Flows withBytes(long newBytes) {
            return new Flows(id, from, to, pairing, count, start, stop, newBytes, onNanos, offNanos, protocol);
        }

        /** {@return the same that have something to send and pause by turns} */
        public Flows withPauses(long newOnNanos, long newOffNanos) {
            return new Flows(id, from, to, pairing, count, start, stop, bytes, newOnNanos, newOffNanos, protocol);
        }
    }

    /**
     * Flows that arrive as a Poisson process, between random hosts, with random sizes.
     *
     * @param from the sending hosts
     * @param to the receiving hosts
     * @param sizes what sizes are drawn from
     * @param load the share of {@code capacityBps} that the flows' frames fill on average
     * @param capacityBps what the load is a share of: all sending hosts' links, or all uplinks of a layer
     * @param startNanos when the process begins
     * @param untilNanos when it ends
     * @param count the most flows
     */
    record Poisson(
            String id,
            List<String> from,
            List<String> to,
            SizeDistribution sizes,
            double load,
            long capacityBps,
            long startNanos,
            long untilNanos,
            int count,
            ProtocolConfig protocol)
            implements Traffic {
        public Poisson {
            from = List.copyOf(from);
            to = List.copyOf(to);
        }

        /** {@return flows without a load yet, which arrive as long as the scenario lasts} */
        public static Poisson of(
                String id, List<String> from, List<String> to, SizeDistribution sizes, ProtocolConfig protocol) {
            return new Poisson(id, from, to, sizes, 0, 0, 0, Long.MAX_VALUE, Integer.MAX_VALUE, protocol);
        }

        /** {@return the same with another load, a share of this capacity} */
        public Poisson withLoad(double newLoad, long newCapacityBps) {
            return new Poisson(id, from, to, sizes, newLoad, newCapacityBps, startNanos, untilNanos, count, protocol);
        }

        /** {@return the same at another time} */
        public Poisson withTime(long newStartNanos, long newUntilNanos) {
            return new Poisson(id, from, to, sizes, load, capacityBps, newStartNanos, newUntilNanos, count, protocol);
        }

        /** {@return the same of at most so many flows} */
        public Poisson withCount(int newCount) {
            return new Poisson(id, from, to, sizes, load, capacityBps, startNanos, untilNanos, newCount, protocol);
        }
    }

    /**
     * Every task sends to every task of the other hosts (ExpressPass section 6.2, Figure 17).
     *
     * @param hosts the hosts
     * @param tasksPerHost tasks on each
     * @param bytes what each task sends to each other
     * @param start when: the times run over the flows in the order of their senders
     */
    record Shuffle(String id, List<String> hosts, int tasksPerHost, long bytes, Times start, ProtocolConfig protocol)
            implements Traffic {
        public Shuffle {
            hosts = List.copyOf(hosts);
        }
    }

    /**
     * Requests and responses over connections that stay open. With many servers it is partition and aggregate: all are
     * asked at once, and the next round begins {@code gapNanos} after the last response is complete.
     *
     * @param client the host that asks
     * @param servers the hosts that answer, one connection each
     * @param requestBytes the size of a request
     * @param responseBytes the size of a response
     * @param rounds how many, at most
     * @param startNanos when the connections open and the first round begins
     * @param gapNanos from the end of a round to the beginning of the next
     */
    record Exchange(
            String id,
            String client,
            List<String> servers,
            long requestBytes,
            long responseBytes,
            int rounds,
            long startNanos,
            long gapNanos,
            ProtocolConfig protocol)
            implements Traffic {
        public Exchange {
            servers = List.copyOf(servers);
        }

        /** {@return one round of requests and responses of one byte} */
        public static Exchange of(String id, String client, List<String> servers, ProtocolConfig protocol) {
            return new Exchange(id, client, servers, 1, 1, 1, 0, 0, protocol);
        }

        /** {@return the same with requests and responses of other sizes} */
        public Exchange withBytes(long newRequestBytes, long newResponseBytes) {
            return new Exchange(
                    id, client, servers, newRequestBytes, newResponseBytes, rounds, startNanos, gapNanos, protocol);
        }

        /** {@return the same with another number of rounds} */
        public Exchange withRounds(int newRounds) {
            return new Exchange(
                    id, client, servers, requestBytes, responseBytes, newRounds, startNanos, gapNanos, protocol);
        }

        /** {@return the same that starts at another time} */
        public Exchange withStartNanos(long newStartNanos) {
            return new Exchange(
                    id, client, servers, requestBytes, responseBytes, rounds, newStartNanos, gapNanos, protocol);
        }

        /** {@return the same with another gap between rounds} */
        public Exchange withGapNanos(long newGapNanos) {
            return new Exchange(
                    id, client, servers, requestBytes, responseBytes, rounds, startNanos, newGapNanos, protocol);
        }
    }

    /**
     * Messages over connections that stay open, each at its time, whether or not earlier ones have arrived (an open
     * loop). The first sender's connection leads to the first receiver, the second's to the second; the shorter list
     * begins again.
     *
     * @param from the sending hosts
     * @param to the receiving hosts
     * @param bytes the size of each message
     * @param rateBps the bytes of all messages together over time
     * @param isRandom whether they come as a Poisson process, each over a random connection; otherwise evenly, over the
     *     connections in turn
     * @param leadNanos how long before the first message the connections open
     * @param startNanos when the first message is due
     * @param untilNanos no message is due from then on
     * @param count the most messages
     */
    record Messages(
            String id,
            List<String> from,
            List<String> to,
            long bytes,
            long rateBps,
            boolean isRandom,
            long leadNanos,
            long startNanos,
            long untilNanos,
            int count,
            ProtocolConfig protocol)
            implements Traffic {
        public Messages {
            from = List.copyOf(from);
            to = List.copyOf(to);
        }

        /** {@return messages of one byte without a rate yet, evenly, as long as the scenario lasts} */
        public static Messages of(String id, List<String> from, List<String> to, ProtocolConfig protocol) {
            return new Messages(id, from, to, 1, 0, false, 0, 0, Long.MAX_VALUE, Integer.MAX_VALUE, protocol);
        }

        /** {@return the same of another size} */
        public Messages withBytes(long newBytes) {
            return new Messages(
                    id, from, to, newBytes, rateBps, isRandom, leadNanos, startNanos, untilNanos, count, protocol);
        }

        /** {@return the same at another rate, at random or evenly} */
        public Messages withRate(long newRateBps, boolean newIsRandom) {
            return new Messages(
                    id, from, to, bytes, newRateBps, newIsRandom, leadNanos, startNanos, untilNanos, count, protocol);
        }

        /** {@return the same whose connections open earlier} */
        public Messages withLeadNanos(long newLeadNanos) {
            return new Messages(
                    id, from, to, bytes, rateBps, isRandom, newLeadNanos, startNanos, untilNanos, count, protocol);
        }

        /** {@return the same at another time} */
        public Messages withTime(long newStartNanos, long newUntilNanos) {
            return new Messages(
                    id, from, to, bytes, rateBps, isRandom, leadNanos, newStartNanos, newUntilNanos, count, protocol);
        }

        /** {@return the same of at most so many} */
        public Messages withCount(int newCount) {
            return new Messages(
                    id, from, to, bytes, rateBps, isRandom, leadNanos, startNanos, untilNanos, newCount, protocol);
        }
    }

    /**
     * Requests and responses over connections that stay open, each connection by itself: as many calls as may be
     * outstanding at once, and the next when a response is complete (a closed loop). Connections lead from the first
     * client to the first server, from the second to the second; the shorter list begins again.
     *
     * @param from the hosts that ask
     * @param to the hosts that respond
     * @param connections how many connections; 0 for one per pair of hosts
     * @param outstanding how many calls each connection has open at once
     * @param requestBytes the size of a request
     * @param responseBytes the size of a response
     * @param rounds how many calls each connection makes
     * @param leadNanos how long before the first call the connections open
     * @param start when each connection makes its first call
     * @param gapNanos from the end of a response to the next request
     */
    record Calls(
            String id,
            List<String> from,
            List<String> to,
            int connections,
            int outstanding,
            long requestBytes,
            long responseBytes,
            int rounds,
            long leadNanos,
            Times start,
            long gapNanos,
            ProtocolConfig protocol)
            implements Traffic {
        public Calls {
            from = List.copyOf(from);
            to = List.copyOf(to);
        }

        /** {@return one call of a byte each way per pair of hosts, at once} */
        public static Calls of(String id, List<String> from, List<String> to, ProtocolConfig protocol) {
            return new Calls(id, from, to, 0, 1, 1, 1, 1, 0, Times.ZERO, 0, protocol);
        }

        /** {@return the same over so many connections with so many calls open at once on each} */
        public Calls withConnections(int newConnections, int newOutstanding) {
            return new Calls(
                    id,
                    from,
                    to,
                    newConnections,
                    newOutstanding,
                    requestBytes,
                    responseBytes,
                    rounds,
                    leadNanos,
                    start,
                    gapNanos,
                    protocol);
        }

        /** {@return the same with requests and responses of other sizes} */
        public Calls withBytes(long newRequestBytes, long newResponseBytes) {
            return new Calls(
                    id,
                    from,
                    to,
                    connections,
                    outstanding,
                    newRequestBytes,
                    newResponseBytes,
                    rounds,
                    leadNanos,
                    start,
                    gapNanos,
                    protocol);
        }

        /** {@return the same with another number of calls per connection, and another gap between them} */
        public Calls withRounds(int newRounds, long newGapNanos) {
            return new Calls(
                    id,
                    from,
                    to,
                    connections,
                    outstanding,
                    requestBytes,
                    responseBytes,
                    newRounds,
                    leadNanos,
                    start,
                    newGapNanos,
                    protocol);
        }

        /** {@return the same at other times} */
        public Calls withStart(long newLeadNanos, Times newStart) {
            return new Calls(
                    id,
                    from,
                    to,
                    connections,
                    outstanding,
                    requestBytes,
                    responseBytes,
                    rounds,
                    newLeadNanos,
                    newStart,
                    gapNanos,
                    protocol);
        }
    }
}
