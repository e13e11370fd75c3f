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
    private final ByteTally delivered = new ByteTally();
    // When the last byte was taken, and when a stopped flow ended; NO_DEADLINE before.
    private long completionNanos = Deadline.NO_DEADLINE;
    private long stoppedNanos = Deadline.NO_DEADLINE;
    /** Written when the source's connection closes; until then the connection is asked. */
    private long retransmittedBytes;
    // The credits' ends, null before each is established; they outlive the connection.
    private CreditUse use;
    private CreditLedger ledger;
    /** The sender's connection, or null before it opens and after it closes. */
    private Connection source;
    /** Why it failed, or null. */
    private String failure;
    /** Told what the sender is told, or null; set before the flow opens. */
    private WindowObserver observer;

    Flow(FlowPlan plan) {
        this.plan = plan;
    }

    /** Tells an observer what the sender is told. */
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
        delivered.add(bytes);
        if (delivered.totalBytes() == plan.bytes()) {
            completionNanos = nowNanos;
        }
    }

    void onStopped(long nowNanos) {
        stoppedNanos = nowNanos;
    }

    ByteTally delivered() {
        return delivered;
    }

    FlowPlan plan() {
        return plan;
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
