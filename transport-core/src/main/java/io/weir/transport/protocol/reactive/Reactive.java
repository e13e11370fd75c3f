package io.weir.transport.protocol.reactive;

import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.protocol.SenderProtocol;
import io.weir.transport.protocol.Settings;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** A reactive protocol for the flows of one host: a control for each sender, and how receivers acknowledge. */
public final class Reactive implements ProtocolFactory {
    /** Data frames that one acknowledgement covers. */
    public static final Parameter<Long> FRAMES_PER_ACK = Parameter.count(
            "framesPerAck", 1, 1, 64, "data frames in order per acknowledgement (RFC 5681 section 4.2: at most 2)");

    private final ProtocolId id;
    private final Function<FlowContext, CongestionControl> controls;
    private final Supplier<ReceiverProtocol> receivers;

    /** Creates the protocol of one host. */
    public Reactive(
            ProtocolId id, Function<FlowContext, CongestionControl> controls, Supplier<ReceiverProtocol> receivers) {
        this.id = id;
        this.controls = controls;
        this.receivers = receivers;
    }

    /**
     * {@return what makes protocols whose receivers acknowledge and no more}
     *
     * @param controls makes the control of a flow
     */
    public static ProtocolKind.Maker maker(BiFunction<Settings, FlowContext, CongestionControl> controls) {
        return maker(controls, settings -> new AckReceiver((int) settings.whole(FRAMES_PER_ACK)));
    }

    /**
     * {@return what makes protocols whose receivers have something to do, too}
     *
     * @param controls makes the control of a flow
     * @param receivers makes its receiver
     */
    public static ProtocolKind.Maker maker(
            BiFunction<Settings, FlowContext, CongestionControl> controls,
            Function<Settings, ReceiverProtocol> receivers) {
        return (settings, random) -> new Reactive(
                settings.id(), context -> controls.apply(settings, context), () -> receivers.apply(settings));
    }

    @Override
    public ProtocolId id() {
        return id;
    }

    @Override
    public SenderProtocol newSender(FlowContext context) {
        return new ReactiveSender(controls.apply(context), context);
    }

    @Override
    public ReceiverProtocol newReceiver(FlowContext context) {
        return receivers.get();
    }
}
