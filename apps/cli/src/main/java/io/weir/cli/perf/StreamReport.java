package io.weir.cli.perf;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.weir.cli.perf.carrier.Link;
import io.weir.cli.unit.Rates;
import io.weir.transport.protocol.CreditLedger;
import java.net.InetSocketAddress;

/**
 * What one end saw of one stream.
 *
 * @param stream which
 * @param sender whether this end sent
 * @param protocol what scheduled it, as both ends agreed, or null before there was a connection
 * @param preset the parameters that this end had for it, likewise
 * @param local this end's address and port, or null before there was a connection
 * @param remote the peer's, likewise
 * @param bytes payload bytes that this end knows to have arrived since the measurement began
 * @param omittedBytes those of before
 * @param nanos from the start of the test to the end of the stream
 * @param goodputBps payload bits per second over that time
 * @param rttNanos the smoothed round-trip time, 0 when this end knows none
 * @param rttMinNanos the least that intervals have shown
 * @param rttMeanNanos their mean
 * @param rttMaxNanos the most that they have shown
 * @param windowMaxBytes the most that might be in flight, or was, where there is no window, at the end of an interval
 * @param peerWindowMaxBytes the most that the peer had room for then
 * @param retransmittedFrames data frames or segments that this end retransmitted
 * @param ledger the fate of the credits that this end sent, or null before there was a connection
 * @param sha256 of all payload bytes, or null when they were not to be checked
 * @param firstWrongOffset where payload first differed from what the seed says, or null when it did not
 * @param failure how the stream went wrong, or null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record StreamReport(
        int stream,
        boolean sender,
        String protocol,
        String preset,
        String local,
        String remote,
        long bytes,
        long omittedBytes,
        long nanos,
        double goodputBps,
        long rttNanos,
        long rttMinNanos,
        long rttMeanNanos,
        long rttMaxNanos,
        long windowMaxBytes,
        long peerWindowMaxBytes,
        long retransmittedFrames,
        Ledger ledger,
        String sha256,
        Long firstWrongOffset,
        String failure) {

    /**
     * The fate of the credits that a receiver sent.
     *
     * @param sent credits made
     * @param used credits whose data came
     * @param lost credits lost in the network: what the links' credit meters dropped
     * @param wasted credits that found nothing to send
     * @param expired credits given up
     */
    record Ledger(long sent, long used, long lost, long wasted, long expired) {
        static Ledger of(CreditLedger ledger) {
            return ledger == null
                    ? null
                    : new Ledger(ledger.sent(), ledger.used(), ledger.lost(), ledger.wasted(), ledger.expired());
        }
    }

    static StreamReport of(DataStream stream, String sha256, Long firstWrongOffset) {
        Link link = stream.link();
        FiguresSeen seen = stream.figuresSeen();
        long bytes = stream.bytes() - stream.omittedBytes();
        return new StreamReport(
                stream.index(),
                stream.isSender(),
                link == null ? null : link.protocol(),
                link == null ? null : link.preset(),
                link == null ? null : text(link.local()),
                link == null ? null : text(link.remote()),
                bytes,
                stream.omittedBytes(),
                stream.nanos(),
                Rates.bps(bytes, stream.nanos()),
                seen.rttNanos(),
                seen.rttMinNanos(),
                seen.rttMeanNanos(),
                seen.rttMaxNanos(),
                seen.windowMaxBytes(),
                seen.peerWindowMaxBytes(),
                seen.retransmittedFrames(),
                link == null ? null : Ledger.of(link.ledger()),
                sha256,
                firstWrongOffset,
                stream.failure());
    }

    /** {@return an address and its port as people write them} */
    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** {@return the address of what {@link #text} has written} */
    static String host(String text) {
        String host = text.substring(0, text.lastIndexOf(':'));
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** {@return the port of what {@link #text} has written} */
    static int port(String text) {
        return Integer.parseInt(text.substring(text.lastIndexOf(':') + 1));
    }
}
