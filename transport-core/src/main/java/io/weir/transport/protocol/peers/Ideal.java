package io.weir.transport.protocol.peers;

import io.weir.pacer.RateMath;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.protocol.SenderProtocol;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.reactive.AckReceiver;
import io.weir.transport.protocol.reactive.Reactive;
import java.util.List;

/**
 * The hypothetical rate control of ExpressPass section 2 and Figure 1a: every flow knows its exact max-min fair share
 * at once, and sends by a timer for each packet. One instance per host; the oracle behind it is one per network.
 *
 * <p>The oracle knows the links of hosts, which are all that can be narrow in a network of full bisection bandwidth,
 * and one link more that all flows share, if there is one. Queues below any other link are not ideal.
 */
public final class Ideal implements ProtocolFactory {
    private static final long NO_TRUNK_BPS = RateMath.RATE_BPS_MAX;
    /** The narrowest link, of which an oracle knows. */
    public static final Parameter<Long> TRUNK = Parameter.bps(
            "trunk", NO_TRUNK_BPS, "the rate of one more link that all flows share; 1Tbps stands for none");

    private static final String OBSTACLE = "it needs an oracle that knows every flow of the network at once";

    /** The protocol. */
    public static final ProtocolKind KIND = new ProtocolKind(
                    new ProtocolId(13, "ideal"),
                    "Cho and others (ExpressPass), SIGCOMM 2017, section 2",
                    List.of(TRUNK, Reactive.FRAMES_PER_ACK),
                    (settings, random) -> {
                        throw new ConfigException("ideal runs in simulations only: " + OBSTACLE);
                    })
            .simulatedOnly(OBSTACLE)
            .sharedByNetwork(Ideal::ofNetwork);

    private final Settings settings;
    private final FairShares shares;

    private Ideal(Settings settings, FairShares shares) {
        this.settings = settings;
        this.shares = shares;
    }

    private static ProtocolKind.Maker ofNetwork(Settings settings) {
        long trunkBps = settings.whole(TRUNK);
        FairShares shares = new FairShares(trunkBps == NO_TRUNK_BPS ? FairShares.NO_TRUNK : trunkBps);
        return (ownSettings, random) -> new Ideal(ownSettings, shares);
    }

    @Override
    public ProtocolId id() {
        return KIND.id();
    }

    @Override
    public SenderProtocol newSender(FlowContext context) {
        shares.setRate(context.path().localMac(), context.linkRateBps());
        return new IdealSender(new IdealControl(shares, context), context);
    }

    @Override
    public ReceiverProtocol newReceiver(FlowContext context) {
        shares.setRate(context.path().localMac(), context.linkRateBps());
        return new AckReceiver((int) settings.whole(Reactive.FRAMES_PER_ACK));
    }
}
