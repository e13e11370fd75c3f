package io.weir.transport.switching;

import io.weir.transport.frame.Frame;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.PortPolicy;
import io.weir.transport.protocol.PortPolicyConfig;
import io.weir.transport.wire.PassingFrame;
import java.util.Arrays;
import java.util.List;

/** What protocols have asked of one port: each sees each frame, which is read once for all. */
final class PortPolicies {
    private final PortPolicy[] policies;
    private final PassingFrame passing = new PassingFrame();

    PortPolicies(List<PortPolicyConfig> configs, PortPolicyConfig.Port port) {
        policies = configs.stream().map(config -> config.newPolicy(port)).toArray(PortPolicy[]::new);
    }

    /** {@return where the frames are that one of the policies holds, or null if none wants to hold any} */
    HeldFrames held() {
        List<PortPolicy> watching =
                Arrays.stream(policies).filter(PortPolicy::watchesReturns).toList();
        if (watching.size() > 1) {
            throw new ConfigException("policies: " + watching.size()
                    + " of them hold frames that come in by the port, and two could hold the same; keep one");
        }
        return watching.isEmpty() ? null : new HeldFrames(watching.get(0));
    }

    /** {@return what the gauges of all policies are called} */
    List<String> gauges() {
        return Arrays.stream(policies)
                .flatMap(policy -> policy.gauges().stream())
                .toList();
    }

    /** {@return what one of them stands at} */
    long gauge(int index) {
        int own = index;
        for (PortPolicy policy : policies) {
            int count = policy.gauges().size();
            if (own < count) {
                return policy.gauge(own);
            }
            own -= count;
        }
        throw new IndexOutOfBoundsException("gauge " + index + " of " + gauges());
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
