package io.weir.transport.protocol.expresspass;

import io.weir.pacer.SeededRandom;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.protocol.SenderProtocol;
import io.weir.transport.protocol.credit.CreditProtocol;
import io.weir.transport.protocol.credit.FeedbackControl;

/** ExpressPass for the flows of one host. */
public final class ExpressPass implements ProtocolFactory {
    /** How it is named. */
    public static final ProtocolId ID = new ProtocolId(1, "expresspass");

    private final ExpressPassConfig config;
    private final CreditProtocol credits;

    /** Creates the protocol; all its randomness follows from {@code random}. */
    public ExpressPass(ExpressPassConfig config, SeededRandom random) {
        this.config = config;
        credits = new CreditProtocol(ID, config.credits(), config::creditShape, this::newFeedback, random);
    }

    @Override
    public ProtocolId id() {
        return ID;
    }

    @Override
    public SenderProtocol newSender(FlowContext context) {
        return credits.newSender(context);
    }

    @Override
    public ReceiverProtocol newReceiver(FlowContext context) {
        return credits.newReceiver(context);
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
