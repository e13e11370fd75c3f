package io.weir.cli.perf;

import java.util.List;

/**
 * A test that begins.
 *
 * @param role which end tells
 * @param peer the other's address
 * @param test what was asked for
 * @param protocol what schedules the streams
 * @param connections this end's of each stream
 */
record TestStart(Role role, String peer, TestSpec test, String protocol, List<Ends> connections) {
    TestStart {
        connections = List.copyOf(connections);
    }

    /**
     * Both ends of a connection.
     *
     * @param stream which stream it is for
     * @param sender whether this end sends
     * @param local this end's address and port
     * @param remote the peer's
     * @param segmentBytes payload of a full data frame or segment
     */
    record Ends(int stream, boolean sender, String local, String remote, int segmentBytes) {}

    static TestStart of(Role role, String peer, TestSpec test, List<DataStream> streams) {
        return new TestStart(
                role,
                peer,
                test,
                streams.get(0).link().protocol(),
                streams.stream()
                        .map(stream -> new Ends(
                                stream.index(),
                                stream.isSender(),
                                StreamReport.text(stream.link().local()),
                                StreamReport.text(stream.link().remote()),
                                stream.link().segmentBytes()))
                        .toList());
    }
}
