package io.weir.transport.protocol.credit;

import io.weir.pacer.CreditPacer;
import io.weir.pacer.CreditShape;
import io.weir.pacer.SeededRandom;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.protocol.SenderProtocol;
import io.weir.transport.telemetry.AccountId;
import io.weir.transport.telemetry.Ledger;
import java.util.function.IntFunction;

/**
 * A protocol in which receivers give credits, for the flows of one host: all but the rule that sets the rate of the
 * credits.
 */
public final class CreditProtocol implements ProtocolFactory {
    private final ProtocolId id;
    private final CreditConfig config;
    private final IntFunction<CreditShape> shapes;
    private final Feedbacks feedbacks;
    private final SeededRandom random;
    private final CreditHost host;

    /** Makes the rule of a flow. */
    @FunctionalInterface
    public interface Feedbacks {
        /**
         * {@return the rule of a new flow}
         *
         * @param rateBpsMax the highest credited rate
         * @param costBytes what a credit and its frame occupy, on average
         */
        FeedbackControl newFeedback(long rateBpsMax, int costBytes);
    }

    /**
     * Creates the protocol; all its randomness follows from {@code random}.
     *
     * @param shapes what credits look like where the longest data frame is so many bytes on the wire
     */
    public CreditProtocol(
            ProtocolId id,
            CreditConfig config,
            IntFunction<CreditShape> shapes,
            Feedbacks feedbacks,
            SeededRandom random) {
        this.id = id;
        this.config = config;
        this.shapes = shapes;
        this.feedbacks = feedbacks;
        this.random = random;
        host = new CreditHost(
                new StandingBudget(config.standingBytesMax()), new HostRtt(), new HostDelivery(), new SpareCredits());
    }

    @Override
    public ProtocolId id() {
        return id;
    }

    @Override
    public SenderProtocol newSender(FlowContext context) {
        return new CreditSender(config, context);
    }

    @Override
    public ReceiverProtocol newReceiver(FlowContext context) {
        CreditShape shape = shapes.apply(context.dataWireBytesMax());
        FeedbackControl feedback = feedbacks.newFeedback(context.creditedRateBpsMax(), shape.costBytesMean());
        CreditPacer pacer = new CreditPacer(
                shape, random.split(), context.pauses().host().catchUp(), feedback.rateBps(), context.nowNanos());
        return new CreditReceiver(config, feedback, pacer, host, context);
    }

    @Override
    public void addTo(Ledger ledger) {
        ledger.add(AccountId.STANDING_UNITS, host.standing().heldUnits());
        ledger.add(AccountId.MAP_ENTRIES, host.standing().peerCount());
    }
}
