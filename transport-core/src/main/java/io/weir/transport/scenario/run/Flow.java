package io.weir.transport.scenario.run;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.protocol.CreditUse;
import io.weir.transport.scenario.workload.FlowPlan;
import io.weir.transport.time.Deadline;

/** What is known of a flow: kept when its connection is long gone. */
final class Flow {
    private final FlowPlan plan;
    private long deliveredBytes;
    private long bytesAtWarmUp;
    private long bytesAtSample;
    private long completionNanos = Deadline.NO_DEADLINE;
    private long stoppedNanos = Deadline.NO_DEADLINE;
    private long retransmittedBytes;
    private CreditUse use;
    private CreditLedger ledger;
    private Connection source;
    private String failure;
    private WindowObserver observer;

    Flow(FlowPlan plan) {
        this.plan = plan;
    }

    /** Lets an observer hear what the sender hears. */
    void observe(WindowObserver newObserver) {
        observer = newObserver;
    }

    void onOpened(Connection connection) {
        source = connection;
    }

    /** The connection is established at the sender. */
    void onSourceReady(Connection established) {
        use = established.creditUse();
        if (observer != null) {
            observer.begin(established);
        }
    }

    void onSinkReady(CreditLedger receiverLedger) {
        ledger = receiverLedger;
    }

    void onSourceClosed(Connection connection, CloseReason reason) {
        retransmittedBytes = connection.retransmittedBytes();
        source = null;
        if (reason != CloseReason.FINISHED) {
            fail(reason.name());
        }
    }

    void fail(String why) {
        failure = why;
    }

    void deliver(int bytes, long nowNanos) {
        deliveredBytes += bytes;
        if (deliveredBytes == plan.bytes()) {
            completionNanos = nowNanos;
        }
    }

    void onStopped(long nowNanos) {
        stoppedNanos = nowNanos;
    }

    void onWarmUp() {
        bytesAtWarmUp = deliveredBytes;
    }

    long takeSampleBytes() {
        long bytes = deliveredBytes - bytesAtSample;
        bytesAtSample = deliveredBytes;
        return bytes;
    }

    FlowPlan plan() {
        return plan;
    }

    long deliveredBytes() {
        return deliveredBytes;
    }

    long bytesAfterWarmUp() {
        return deliveredBytes - bytesAtWarmUp;
    }

    boolean isComplete() {
        return completionNanos != Deadline.NO_DEADLINE;
    }

    /** {@return when its last byte arrived, or NO_DEADLINE} */
    long completionNanos() {
        return completionNanos;
    }

    /** {@return whether nothing of it is to be waited for} */
    boolean isOver() {
        return !plan.isLimited() || endNanos() != Deadline.NO_DEADLINE || failure != null;
    }

    /** {@return when it was complete, or stopped, or NO_DEADLINE while it goes on} */
    long endNanos() {
        return Math.min(completionNanos, stoppedNanos);
    }

    long retransmittedBytes() {
        return source == null ? retransmittedBytes : source.retransmittedBytes();
    }

    CreditUse use() {
        return use;
    }

    CreditLedger ledger() {
        return ledger;
    }

    /** {@return why it failed, or null} */
    String failure() {
        return failure;
    }
}
