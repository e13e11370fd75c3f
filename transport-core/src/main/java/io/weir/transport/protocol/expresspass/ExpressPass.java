package io.weir.transport.protocol.expresspass;

import io.weir.pacer.CreditPacer;
import io.weir.pacer.CreditShape;
import io.weir.pacer.SeededRandom;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.protocol.SenderProtocol;

/** ExpressPass for the flows of one host. */
public final class ExpressPass implements ProtocolFactory {
    /** How it is named. */
    public static final ProtocolId ID = new ProtocolId(1, "expresspass");

    private final ExpressPassConfig config;
    private final SeededRandom random;
    private final StandingCredits standingCredits;
    private final HostRtt hostRtt = new HostRtt();
    private final HostDelivery hostDelivery = new HostDelivery();

    /** Creates the protocol; all its randomness follows from {@code random}. */
    public ExpressPass(ExpressPassConfig config, SeededRandom random) {
        this.config = config;
        this.random = random;
        this.standingCredits = new StandingCredits(config.standingCreditsMax());
    }

    @Override
    public ProtocolId id() {
        return ID;
    }

    @Override
    public SenderProtocol newSender(FlowContext context) {
        return new ExpressPassSender(config, context.counters());
    }

    @Override
    public ReceiverProtocol newReceiver(FlowContext context) {
        CreditShape shape = config.creditShape(context.dataWireBytesMax());
        FeedbackControl feedback = newFeedback(context.creditedRateBpsMax(), shape.costBytesMean());
        CreditPacer pacer =
                new CreditPacer(shape, random.split(), context.catchUpNanos(), feedback.rateBps(), context.nowNanos());
        return new ExpressPassReceiver(
                config, feedback, pacer, standingCredits, hostRtt, hostDelivery, context.segmentBytesMax());
    }

    private FeedbackControl newFeedback(long rateBpsMax, int costBytes) {
        FeedbackConfig rule = config.feedback();
        double alpha = config.initialRateFraction();
        if (rule instanceof FeedbackConfig.LossPrice lossPrice) {
            return new LossPriceFeedback(lossPrice, rateBpsMax, costBytes, alpha);
        }
        if (rule instanceof FeedbackConfig.Algorithm1 algorithm1) {
            return new Algorithm1Feedback(algorithm1, rateBpsMax, costBytes, alpha);
        }
        if (rule instanceof FeedbackConfig.Authors authors) {
            return new AuthorsFeedback(authors, rateBpsMax, costBytes, alpha);
        }
        return new NaiveFeedback(rateBpsMax);
    }
}
