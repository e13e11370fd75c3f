package io.weir.cli.perf;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.weir.cli.unit.Rates;
import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.protocol.ProtocolConfig;

/**
 * What one end saw of one stream.
 *
 * @param stream which
 * @param sender whether this end sent
 * @param protocol what scheduled it, as both ends agreed, or null before there was a connection
 * @param preset the parameters that this end had for it, likewise
 * @param bytes payload bytes that this end knows to have arrived
 * @param nanos from the start of the test to the end of the stream
 * @param goodputBps payload bits per second over that time
 * @param rttNanos the smoothed round-trip time, 0 when this end knows none
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
        long bytes,
        long nanos,
        double goodputBps,
        long rttNanos,
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

    static StreamReport of(DataStream stream, ProtocolConfig protocol, String sha256, Long firstWrongOffset) {
        return new StreamReport(
                stream.index(),
                stream.isSender(),
                stream.isConnected() ? protocol.id().name() : null,
                stream.isConnected() ? protocol.preset() : null,
                stream.bytes(),
                stream.nanos(),
                Rates.bps(stream.bytes(), stream.nanos()),
                stream.rttNanos(),
                stream.isConnected() ? Ledger.of(stream.connection().creditLedger()) : null,
                sha256,
                firstWrongOffset,
                stream.failure());
    }
}
