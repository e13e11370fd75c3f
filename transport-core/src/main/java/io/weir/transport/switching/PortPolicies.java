package io.weir.transport.switching;

import io.weir.transport.frame.Frame;
import io.weir.transport.protocol.PortPolicy;
import io.weir.transport.protocol.PortPolicyConfig;
import io.weir.transport.wire.PassingFrame;
import java.util.List;

/** What protocols have asked of one port: each sees each frame, which is read once for all. */
final class PortPolicies {
    private final PortPolicy[] policies;
    private final PassingFrame passing = new PassingFrame();

    PortPolicies(List<PortPolicyConfig> configs, PortPolicyConfig.Port port) {
        policies = configs.stream().map(config -> config.newPolicy(port)).toArray(PortPolicy[]::new);
    }

    void onArrival(Frame frame, long queueBytes, long nowNanos) {
        passing.lookAt(frame);
        for (PortPolicy policy : policies) {
            policy.onArrival(passing, queueBytes, nowNanos);
        }
    }

    void onDeparture(Frame frame, long queueBytes, long nowNanos) {
        passing.lookAt(frame);
        for (PortPolicy policy : policies) {
            policy.onDeparture(passing, queueBytes, nowNanos);
        }
    }
}
