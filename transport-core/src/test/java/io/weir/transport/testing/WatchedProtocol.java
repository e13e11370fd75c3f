package io.weir.transport.testing;

import io.weir.pacer.SeededRandom;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.reactive.AckReceiver;
import io.weir.transport.protocol.reactive.CongestionControl;
import io.weir.transport.protocol.reactive.Reactive;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A reactive protocol whose controls a test can look into. Both ends of a connection have one, the initiator's first or
 * last: flows are told apart by what they do.
 *
 * @param <C> the control
 */
public final class WatchedProtocol<C extends CongestionControl> implements ProtocolConfig {
    private final ProtocolId id;
    private final Function<FlowContext, C> maker;
    private final List<C> controls = new ArrayList<>();

    /** Creates a protocol of these controls. */
    public WatchedProtocol(ProtocolId id, Function<FlowContext, C> maker) {
        this.id = id;
        this.maker = maker;
    }

    /** {@return the controls of all connections' ends, in the order in which they were established} */
    public List<C> controls() {
        return controls;
    }

    @Override
    public ProtocolId id() {
        return id;
    }

    @Override
    public String preset() {
        return id.name();
    }

    @Override
    public ProtocolFactory newFactory(SeededRandom random) {
        return new Reactive(id, this::newControl, () -> new AckReceiver(1));
    }

    private CongestionControl newControl(FlowContext context) {
        C control = maker.apply(context);
        controls.add(control);
        return control;
    }
}
