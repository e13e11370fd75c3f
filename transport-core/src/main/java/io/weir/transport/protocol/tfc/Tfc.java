package io.weir.transport.protocol.tfc;

import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.protocol.SenderProtocol;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.reactive.Reactive;
import java.util.List;

/**
 * Token Flow Control at the hosts: senders mark the first frame of each window and send what the ports on the way have
 * let its window field become.
 *
 * <p>Source: Zhang and others, "TFC: Token Flow Control in Data Center Networks" (EuroSys 2016), sections 4.6, 5.1 and
 * 5.3.
 */
public final class Tfc implements ProtocolFactory {
    static final Parameter<Long> ROUNDING = Parameter.count(
            "rounding",
            2,
            0,
            2,
            "a window's rest below a frame: 0 is lost, 1 counts as a frame, 2 is kept for the next"
                    + " round (not in the paper)");
    static final Parameter<Long> IDLE_ROUNDS = Parameter.count(
            "idleRounds",
            1,
            0,
            1_000,
            "idle round trips after which a window must be requested again (section 4.6: at the start)");
    static final Parameter<Long> PROBE_TIMEOUT = Parameter.nanos(
            "probeTimeout",
            20_000_000,
            "how long to wait for a window before the next request, at least four round trips; a"
                    + " sixteenth after a window of two frames or more, which switches do not hold (not in the"
                    + " paper)");

    /** The protocol. */
    public static final ProtocolKind KIND = new ProtocolKind(
                    new ProtocolId(3, "tfc"),
                    "Zhang and others, EuroSys 2016",
                    List.of(ROUNDING, IDLE_ROUNDS, PROBE_TIMEOUT, Reactive.FRAMES_PER_ACK),
                    (settings, random) -> new Tfc(settings))
            .withPortPart(TfcPort.PART);

    private final Settings settings;
    private final int framesPerAck;

    private Tfc(Settings settings) {
        this.settings = settings;
        this.framesPerAck = (int) settings.whole(Reactive.FRAMES_PER_ACK);
    }

    @Override
    public ProtocolId id() {
        return settings.id();
    }

    @Override
    public SenderProtocol newSender(FlowContext context) {
        return new TfcSender(settings, context);
    }

    @Override
    public ReceiverProtocol newReceiver(FlowContext context) {
        return new TfcReceiver(context, framesPerAck);
    }
}
