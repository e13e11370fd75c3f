package io.weir.transport.scenario.run;

import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.scenario.LinkSpec;

/** How a host's own link limits credits. */
final class HostCredits {
    /** So deep a bucket that it never empties: 600,000 credits, with a queue for as many. */
    private static final int UNLIMITED_BYTES = 1_000_000_000;

    private HostCredits() {}

    /**
     * {@return the limit, which a host always has}
     *
     * <p>Where the settings have none, as at the hosts of the authors' dumbbell, a single flow still makes no more
     * credits than the link has room for the data of; several together may.
     */
    static CreditPortConfig of(CreditSettings settings, LinkSpec link) {
        CreditPortConfig config = settings.toConfig(link.rateBps(), link.mtuBytes());
        if (config != null) {
            return config;
        }
        return settings.withModel(CreditModel.EXACT)
                .with(CreditSettings.CREDITLESS, 0)
                .with(CreditSettings.RATE, 0)
                .toConfig(link.rateBps(), link.mtuBytes())
                .withBurstBytes(UNLIMITED_BYTES)
                .withQueueBytesMax(UNLIMITED_BYTES)
                .withDrop(CreditPortConfig.Drop.TAIL);
    }
}
