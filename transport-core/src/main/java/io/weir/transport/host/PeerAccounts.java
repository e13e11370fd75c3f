package io.weir.transport.host;

import io.weir.transport.flow.BufferBudget;
import io.weir.transport.flow.BufferShare;
import io.weir.transport.wire.IpAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * What each peer address has of a host, and how much it may have. Only addresses that have proved to be there have an
 * account, and none outlives its last connection: memory is bounded by connections.
 */
final class PeerAccounts {
    private static final long PERCENT = 100;

    private final HostConfig.Peers limits;
    /** Null where buffers only count. */
    private final BufferBudget budget;

    private final Map<IpAddress, PeerAccount> byAddress = new HashMap<>();

    PeerAccounts(HostConfig.Peers limits, BufferBudget budget) {
        this.limits = limits;
        this.budget = budget;
    }

    /**
     * {@return the account of {@code address}, made if there is none; one that stays empty must be given back to {@link
     * #settle}}
     */
    PeerAccount of(IpAddress address) {
        PeerAccount account = byAddress.get(address);
        if (account == null) {
            account = new PeerAccount(address, budget == null ? null : newShare());
            byAddress.put(address, account);
        }
        return account;
    }

    private BufferShare newShare() {
        return new BufferShare(budget, budget.bytesMax() / PERCENT * limits.memoryPercent());
    }

    /** Forgets an account that has nothing any more. */
    void settle(PeerAccount account) {
        if (account.isEmpty()) {
            byAddress.remove(account.address());
        }
    }

    /**
     * {@return whether one more opening of this peer may wait for its confirmation, of which {@code freeCount} more fit
     * in all} A peer has at most as many places as it leaves to others: n peers that take all they can leave one of n +
     * 1 parts free, so that others are served however many openings those send.
     */
    // = dynamic-thresholds: alpha = 1
    boolean hasPlace(PeerAccount account, int freeCount) {
        return mayHave(account.halfOpenCount(), limits.halfOpenMax(), freeCount);
    }

    /**
     * {@return whether this peer may have one more connection, of which {@code freeCount} more fit in all: by the same
     * rule}
     */
    boolean mayConnect(PeerAccount account, int freeCount) {
        return mayHave(account.connectionCount(), limits.connectionsMax(), freeCount);
    }

    private boolean mayHave(int count, int countMax, int freeCount) {
        return freeCount > 0 && count < countMax && (count <= freeCount || limits.isUnlimited());
    }

    /** {@return whether one more half-open connection of this peer may be a whole one} */
    boolean maySpendCredits(PeerAccount account) {
        return account.creditedCount() < limits.creditedMax();
    }

    int size() {
        return byAddress.size();
    }
}
