package io.weir.transport.protocol.reactive;

import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.protocol.SenderProtocol;
import java.util.function.Function;
import java.util.function.Supplier;

/** A reactive protocol for the flows of one host: a control for each sender, and how receivers acknowledge. */
public final class Reactive implements ProtocolFactory {
    /** Data frames that one acknowledgement covers. */
    public static final Parameter FRAMES_PER_ACK = Parameter.count(
            "framesPerAck",
            1,
            1,
            64,
            "data frames that one acknowledgement covers, unless one is out of order (RFC 5681 section 4.2: at most 2)");

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
