package io.weir.cli.switching;

import io.weir.cli.unit.QuantityPrinter;
import io.weir.pacer.PauseBudget;
import io.weir.pacer.Slack;
import io.weir.transport.switching.SwitchPortConfig.LinkEmulation;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How the file has a port play its link.
 *
 * @param isEmulated whether frames take the link's serialization time and delay, both ways
 * @param delayNanos the propagation delay
 * @param queueBytes what may wait at the link's far end, or 0 for as much as in the data queue
 * @param catchUpNanos how far the link may catch up when it is polled late
 * @param pauseBudgetBytes what link, meter and queues may make up for after a pause of the switch
 */
record LinkSettings(boolean isEmulated, long delayNanos, long queueBytes, long catchUpNanos, long pauseBudgetBytes) {
    /** The medium is the link. A live loop polls late, so the rate is kept by catching up. */
    static final LinkSettings DEFAULT =
            new LinkSettings(false, 0, 0, Slack.LIVE.catchUpNanos(), PauseBudget.DEFAULT.bytes());

    /** {@return the link, with the queue that was left open} */
    LinkEmulation toConfig(long dataQueueBytes) {
        long ingressBytes = !isEmulated ? 0 : queueBytes > 0 ? queueBytes : dataQueueBytes;
        return new LinkEmulation(isEmulated, delayNanos, ingressBytes, catchUpNanos);
    }

    /** {@return the block as the file has it} */
    static Map<String, Object> toDocument(LinkEmulation link, PauseBudget pauses) {
        Map<String, Object> block = new LinkedHashMap<>();
        block.put("emulate", link.isEmulated());
        if (link.isEmulated()) {
            block.put("delay", QuantityPrinter.duration(link.propagationNanos()));
            block.put("queue", QuantityPrinter.size(link.ingressQueueBytesMax()));
        }
        block.put("catchUp", QuantityPrinter.duration(link.catchUpNanos()));
        block.put("pauseBudget", QuantityPrinter.size(pauses.bytes()));
        return block;
    }
}
