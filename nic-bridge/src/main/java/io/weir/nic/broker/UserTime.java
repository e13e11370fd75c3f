package io.weir.nic.broker;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How much of a core a broker spends on what each user's processes ask for: a share of it, and some more at once. Who
 * has used up more waits before its next request is served, so that its own socket fills and it waits as well. Root
 * never waits. Any thread.
 *
 * <p>Moving frames is not counted: that is the loop's, where clients take turns.
 */
final class UserTime {
    /**
     * What a user's processes may use at once after a pause: each of {@link Broker#CLIENTS_PER_USER_MAX} that start
     * together takes 2 to 4 ms, most of it the JVM's first calls.
     */
    static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /**
     * The most that a user is in debt, whatever its processes do: with the default share a request waits 5 s, and with
     * the least 25 s, which is less than what a client waits for an answer.
     */
    static final long DEBT_NANOS_MAX = BURST_NANOS;

    /**
     * What is booked for a request before it is served: it takes 10 to 200 microseconds. Requests that wait are spread
     * by it; otherwise all threads of a user would begin in the same moment.
     */
    static final long REQUEST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final int PERCENT = 100;
    private static final int ROOT = 0;
    private static final long NOTICE_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** When there are so many, those are forgotten that have their full burst again. */
    private static final int ACCOUNTS_MAX = 1_024;

    /** What a user has. */
    private static final class Account {
        /** What may be used now; negative while the user waits. */
        long leftNanos = BURST_NANOS;
        /** When that was so. */
        long atNanos;
        /** When it was last told that it waits. */
        long noticeNanos;

        Account(long nowNanos) {
            atNanos = nowNanos;
            noticeNanos = nowNanos - NOTICE_NANOS;
        }
    }

    private final int sharePercent;
    /** By the user's number. With the lock. */
    private final Map<Integer, Account> accounts = new HashMap<>();

    /** Gives each user {@code sharePercent} of a core. */
    UserTime(int sharePercent) {
        this.sharePercent = sharePercent;
    }

    /**
     * Books {@link #REQUEST_NANOS} for a request.
     *
     * @return how long it has to wait before it is served, or 0
     */
    synchronized long book(int user, long nowNanos) {
        if (user == ROOT) {
            return 0;
        }
        Account account = account(user, nowNanos);
        use(account, REQUEST_NANOS);
        return waitNanos(account);
    }

    /** {@return how long a request of this user would wait now, or 0} */
    synchronized long waitNanos(int user, long nowNanos) {
        return user == ROOT ? 0 : waitNanos(account(user, nowNanos));
    }

    private long waitNanos(Account account) {
        return account.leftNanos >= 0 ? 0 : -account.leftNanos * PERCENT / sharePercent;
    }

    /** A user has used time, or less than was booked if it is negative. */
    synchronized void charge(int user, long usedNanos, long nowNanos) {
        if (user != ROOT) {
            use(account(user, nowNanos), usedNanos);
        }
    }

    private static void use(Account account, long nanos) {
        account.leftNanos = Math.max(-DEBT_NANOS_MAX, Math.min(BURST_NANOS, account.leftNanos - nanos));
    }

    /** {@return whether to say that a user waits: once per minute} */
    synchronized boolean takeNotice(int user, long nowNanos) {
        Account account = account(user, nowNanos);
        if (nowNanos - account.noticeNanos < NOTICE_NANOS) {
            return false;
        }
        account.noticeNanos = nowNanos;
        return true;
    }

    private Account account(int user, long nowNanos) {
        Account known = accounts.get(user);
        if (known != null) {
            refill(known, nowNanos);
            return known;
        }
        if (accounts.size() >= ACCOUNTS_MAX) {
            accounts.values().removeIf(account -> isFull(account, nowNanos));
        }
        Account added = new Account(nowNanos);
        accounts.put(user, added);
        return added;
    }

    private void refill(Account account, long nowNanos) {
        // Two threads may come in another order than they read the clock.
        long sinceNanos = Math.max(0, nowNanos - account.atNanos);
        account.atNanos += sinceNanos;
        // The burst is full long before the product overflows.
        long addedNanos = Math.min(sinceNanos, fullNanosMax(account)) * sharePercent / PERCENT;
        account.leftNanos = Math.min(BURST_NANOS, account.leftNanos + addedNanos);
    }

    /** {@return after how long the account is full at the latest, a little more} */
    private long fullNanosMax(Account account) {
        return (BURST_NANOS - account.leftNanos + 1) * PERCENT / sharePercent + 1;
    }

    private boolean isFull(Account account, long nowNanos) {
        refill(account, nowNanos);
        return account.leftNanos >= BURST_NANOS && nowNanos - account.noticeNanos >= NOTICE_NANOS;
    }

    /** {@return users whose time is counted} */
    synchronized int accountCount() {
        return accounts.size();
    }
}
