package io.weir.cli.perf;

import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Ends a test that stands still for too long, or takes more than its server lets it. */
final class TrafficWatch {
    private static final double BITS_PER_BYTE = 8;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Role role;
    private final SessionConfig config;
    private final List<DataStream> streams;
    /** When bytes were last seen to come, and how many had come in all. */
    private long movedNanos = System.nanoTime();

    private long movedBytes;
    /** When the server's limit was last held against what had come, and how much that was. */
    private long judgedNanos = movedNanos;

    private long judgedBytes;

    TrafficWatch(Role role, SessionConfig config, List<DataStream> streams) {
        this.role = role;
        this.config = config;
        this.streams = streams;
    }

    /**
     * Looks what has come.
     *
     * @param isEnding whether this end's streams were told that their time is over
     * @throws IOException if the test is to end
     */
    void look(long now, boolean isEnding) throws IOException {
        requireData(now, isEnding);
        if (role == Role.SERVER && config.limits().bitrateBps() > 0) {
            requireBelowLimit(now);
        }
    }

    private void requireData(long now, boolean isEnding) throws SocketTimeoutException {
        boolean isReceiver = streams.stream().anyMatch(stream -> !stream.isSender());
        long bytes = allBytes();
        if (bytes != movedBytes || !isReceiver || isEnding) {
            movedBytes = bytes;
            movedNanos = now;
        } else if (now - movedNanos > config.limits().receiveNanosMax()) {
            throw new SocketTimeoutException("no data came for "
                    + TimeUnit.NANOSECONDS.toMillis(config.limits().receiveNanosMax())
                    + " ms; the test is over; a higher --rcv-timeout waits longer");
        }
    }

    /** {@return what all streams have by now: a figure that may be a moment old, since it is the loops'} */
    private long allBytes() {
        long bytes = 0;
        for (DataStream stream : streams) {
            bytes += stream.bytes();
        }
        return bytes;
    }

    private void requireBelowLimit(long now) throws ProtocolException {
        long nanos = now - judgedNanos;
        if (nanos < config.limits().averagedNanos()) {
            return;
        }
        long bytes = allBytes();
        double rateBps = (bytes - judgedBytes) * BITS_PER_BYTE * NANOS_PER_SECOND / nanos;
        judgedNanos = now;
        judgedBytes = bytes;
        if (rateBps > config.limits().bitrateBps()) {
            throw new ProtocolException("the test takes " + (long) rateBps + " bit/s, more than the "
                    + config.limits().bitrateBps() + " of this server's --server-bitrate-limit; give a lower -b");
        }
    }
}
