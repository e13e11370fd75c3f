package io.weir.transport.scenario;

import io.weir.transport.protocol.PortPolicyConfig;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.switching.EcnConfig;
import java.util.List;

/**
 * A port, whatever its link. Of a host only {@code credits} counts: what a host sends waits in its connections.
 *
 * @param dataQueueBytesMax the capacity of the data queue, or 0 for 250 of the largest frames
 * @param credits how credits are limited
 * @param ecn when packets are marked, or null for never
 * @param policies what protocols ask of the port of a switch
 */
public record PortSpec(long dataQueueBytesMax, CreditSettings credits, EcnConfig ecn, List<PortPolicyConfig> policies) {
    /** Credits metered exactly, 250 frames of data, no marks. */
    public static final PortSpec DEFAULT = new PortSpec(0, CreditSettings.DEFAULT, null);

    public PortSpec {
        policies = List.copyOf(policies);
    }

    /** Creates a port of which no protocol asks anything. */
    public PortSpec(long dataQueueBytesMax, CreditSettings credits, EcnConfig ecn) {
        this(dataQueueBytesMax, credits, ecn, List.of());
    }

    /** {@return the same port, of which protocols ask this} */
    public PortSpec withPolicies(PortPolicyConfig... newPolicies) {
        return new PortSpec(dataQueueBytesMax, credits, ecn, List.of(newPolicies));
    }

    /** {@return the same port with another data queue and other marks} */
    public PortSpec with(long newDataQueueBytesMax, EcnConfig newEcn) {
        return new PortSpec(newDataQueueBytesMax, credits, newEcn, policies);
    }
}
