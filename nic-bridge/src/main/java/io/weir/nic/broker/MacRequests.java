package io.weir.nic.broker;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What clients want to know of next hops, one client at a time: the interface's thread has at most one request of all
 * of them, and each answer goes to who asked. What a client asks before its turn comes is one request. Any thread.
 *
 * @param <A> who asks
 */
final class MacRequests<A> {
    /** Hosts in one request: as many as fit a message, and some milliseconds of the interface's thread. */
    static final int HOSTS_PER_REQUEST = 100;
    /** The most hosts of an asker that wait; of more, the first stay. */
    static final int HOSTS_MAX = 8_192;

    /** An answer that has not come by then never does: the interface's thread has failed meanwhile. */
    private static final long ANSWER_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

    private final Consumer<Collection<InetAddress>> finder;
    /** What is asked when their turn comes, the longest waiting first. With the lock, as all that follows. */
    private final Map<A, Set<InetAddress>> waiting = new LinkedHashMap<>();
    /** Who is answered next, or null while nobody is. */
    private A asker;
    /** When it was asked for. */
    private long askedNanos;

    /** Asks {@code finder}, whose answers come in order. */
    MacRequests(Consumer<Collection<InetAddress>> finder) {
        this.finder = finder;
    }

    /** Asks for hosts, when it is the asker's turn. */
    void ask(A newAsker, Collection<InetAddress> remotes, long nowNanos) {
        synchronized (this) {
            Set<InetAddress> wanted = waiting.computeIfAbsent(newAsker, added -> new LinkedHashSet<>());
            for (InetAddress remote : remotes) {
                if (wanted.size() < HOSTS_MAX) {
                    wanted.add(remote);
                }
            }
            if (asker != null && nowNanos - askedNanos >= ANSWER_NANOS_MAX) {
                asker = null;
            }
        }
        askNext(nowNanos);
    }

    private void askNext(long nowNanos) {
        List<InetAddress> next = new ArrayList<>();
        synchronized (this) {
            if (asker != null || waiting.isEmpty()) {
                return;
            }
            asker = waiting.keySet().iterator().next();
            askedNanos = nowNanos;
            Set<InetAddress> wanted = waiting.remove(asker);
            for (InetAddress remote : wanted) {
                if (next.size() == HOSTS_PER_REQUEST) {
                    break;
                }
                next.add(remote);
            }
            next.forEach(wanted::remove);
            if (!wanted.isEmpty()) {
                // Behind those who wait.
                waiting.put(asker, wanted);
            }
        }
        // Without the lock: it may answer at once.
        finder.accept(next);
    }

    /** {@return whose answer this is, or null for nobody's} The next one is asked for. */
    A takeAsker(long nowNanos) {
        A answered;
        synchronized (this) {
            answered = asker;
            asker = null;
        }
        askNext(nowNanos);
        return answered;
    }

    /** An asker is gone. */
    synchronized void forget(A gone) {
        waiting.remove(gone);
    }

    /** {@return requests that wait for their turn} */
    synchronized int waitingCount() {
        return waiting.size();
    }
}
