package io.weir.transport.scenario.run;

import io.weir.transport.host.HostStack;
import io.weir.transport.telemetry.CounterId;
import java.util.List;

/** The fate of all credits, as their senders know it, from the end of the warm-up on. */
final class CreditTotals {
    private final List<HostStack> stacks;
    private long receivedBefore;
    private long wastedBefore;

    CreditTotals(List<HostStack> stacks) {
        this.stacks = stacks;
    }

    void start() {
        receivedBefore = sum(CounterId.CREDITS_RECEIVED);
        wastedBefore = sum(CounterId.CREDITS_WASTED);
    }

    private long sum(CounterId counter) {
        return stacks.stream().mapToLong(stack -> stack.counters().get(counter)).sum();
    }

    /** {@return the credits that found nothing to send, as a share of those that came} */
    double wasteFraction() {
        long received = sum(CounterId.CREDITS_RECEIVED) - receivedBefore;
        return received == 0 ? 0 : (double) (sum(CounterId.CREDITS_WASTED) - wastedBefore) / received;
    }

    /** {@return frames that were not sent because the pool was empty, ever} */
    long framesMissing() {
        return sum(CounterId.DROP_NO_FRAME);
    }
}
