package io.weir.transport.scenario.run;

import io.weir.pacer.RateMath;
import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.protocol.CreditUse;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.workload.FlowPlan;

/** Turns what is known of a flow into its part of the result. */
final class FlowReport {
    private final long warmUpNanos;
    private final long nowNanos;
    private final String[] hostNames;

    FlowReport(long warmUpNanos, long nowNanos, String[] hostNames) {
        this.warmUpNanos = warmUpNanos;
        this.nowNanos = nowNanos;
        this.hostNames = hostNames;
    }

    FlowResult of(Flow flow) {
        FlowPlan plan = flow.plan();
        Long completionNanos = flow.isComplete() ? flow.completionNanos() - plan.startNanos() : null;
        return new FlowResult(
                plan.id(),
                hostNames[plan.source()],
                hostNames[plan.destination()],
                label(plan.protocol()),
                flow.delivered().totalBytes(),
                plan.startNanos(),
                completionNanos,
                goodputBps(flow),
                flow.retransmittedBytes(),
                credits(flow));
    }

    /** {@return its bytes over the time from its start, or the end of the warm-up, to its end} */
    private static String label(ProtocolConfig protocol) {
        String name = protocol.id().name();
        return name.equals(protocol.preset()) ? name : name + ":" + protocol.preset();
    }

    double goodputBps(Flow flow) {
        long fromNanos = Math.max(flow.plan().startNanos(), warmUpNanos);
        long nanos = Math.min(flow.endNanos(), nowNanos) - fromNanos;
        return nanos <= 0 ? 0 : flow.delivered().bytesAfterWarmUp() * 8.0 * RateMath.NANOS_PER_SECOND / nanos;
    }

    private static FlowResult.Credits credits(Flow flow) {
        CreditUse use = flow.use();
        CreditLedger ledger = flow.ledger();
        if (use == null || ledger == null) {
            return null;
        }
        return new FlowResult.Credits(
                ledger.sent(), use.received(), use.used(), use.wasted(), use.expired(), ledger.lost());
    }
}
