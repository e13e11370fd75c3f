package io.weir.transport.telemetry;

import java.util.EnumMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * What is open at one moment, by account. Each owner adds what it has when asked, from what it counts anyway: the hot
 * path does not know of ledgers. After the end of everything that could have taken something, each account is
 * 0: the ledger is {@link #isBalanced}.
 *
 * <p>One thread at a time. Asked of what another thread owns, the amounts are those of some recent moment.
 */
public final class Ledger {
    private final Map<AccountId, Long> open = new EnumMap<>(AccountId.class);

    /** Adds what one owner has open. */
    public Ledger add(AccountId account, long amount) {
        open.merge(account, amount, Long::sum);
        return this;
    }

    /** Adds all that another one has open. */
    public Ledger addAll(Ledger other) {
        other.open.forEach(this::add);
        return this;
    }

    /** {@return how much is open} */
    public long open(AccountId account) {
        return open.getOrDefault(account, 0L);
    }

    /** {@return whether nothing is open} */
    public boolean isBalanced() {
        return open.values().stream().allMatch(amount -> amount == 0);
    }

    /** {@return the same without one account: one that something else may still have a right to} */
    public Ledger without(AccountId account) {
        Ledger others = new Ledger().addAll(this);
        others.open.remove(account);
        return others;
    }

    /** {@return what is open, such as {@code 3 frames, 1 timers}; empty when nothing is} */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ");
        open.forEach((account, amount) -> {
            if (amount != 0) {
                text.add(amount + " " + account);
            }
        });
        return text.toString();
    }
}
