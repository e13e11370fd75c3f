package io.weir.cli.perf;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;

/** One end of one stream of a test. It belongs to the loop's thread. */
interface DataStream extends ConnectionHandler {
    /** {@return how far it has come} */
    StreamTally tally();

    /** {@return payload bytes that this end knows to have arrived: acknowledged to a sender, read by a receiver} */
    long bytes();

    /** The test begins. */
    default void start() {
        tally().started();
    }

    /** The time is over: a sender ends its stream; a receiver waits for that. */
    default void stop() {}

    /** Time has passed: what a rate limit allows by now may go. */
    default void onTick() {}

    /** {@return what this end has to say about the stream} */
    default StreamReport report() {
        return StreamReport.of(this, null, null);
    }

    @Override
    default void onConnected(Connection connection) {
        tally().connected(connection);
    }

    /** The end of a sender waits for that of its peer, or for the connection's end. */
    @Override
    default void onEnd(Connection connection) {}

    @Override
    default void onClosed(Connection connection, CloseReason reason) {
        tally().closed(reason);
    }
}
