package io.weir.transport.scenario;

import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.switching.EcnConfig;

/**
 * A port, whatever its link. Of a host only {@code credits} counts: what a host sends waits in its connections.
 *
 * @param dataQueueBytesMax the capacity of the data queue, or 0 for 250 of the largest frames
 * @param credits how credits are limited
 * @param ecn when packets are marked, or null for never
 */
public record PortSpec(long dataQueueBytesMax, CreditSettings credits, EcnConfig ecn) {
    /** Credits metered exactly, 250 frames of data, no marks. */
    public static final PortSpec DEFAULT = new PortSpec(0, CreditSettings.DEFAULT, null);
}
