package io.weir.nic.host;

import io.weir.nic.NicException;
import io.weir.nic.net.KernelEvent;
import io.weir.nic.net.NextHop;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The ways to remote hosts that were looked up a short while ago, so that a host that opens thousands of connections
 * per second does not ask the kernel for each of them: that takes some twenty system calls, on a thread that moves
 * frames meanwhile. O(1) for a way that is known, and for each that is forgotten.
 *
 * <p>A way is forgotten as soon as the kernel says that anything it depends on has changed, and after {@link
 * #AGE_NANOS_MAX} in any case: not every change is told, policy rules for instance. Nothing is kept while nobody
 * listens to the kernel.
 *
 * <p>Any thread may call. The lookup itself is not under the lock, as it may wait for an answer of the next hop.
 */
final class KnownWays {
    /** How long a way is taken as it was found; after that, the kernel may also want to verify the neighbour. */
    static final long AGE_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);
    /** The most ways that are kept. When there are more, all go: they come back at the cost of one lookup each. */
    static final int WAYS_MAX = 4_096;

    private final Lookup lookup;
    private final LongSupplier clock;
    private final Map<InetAddress, Way> ways = new HashMap<>();
    /** The remote hosts whose way is kept, by their next hop. */
    private final Map<InetAddress, Set<InetAddress>> remotesByHop = new HashMap<>();
    /** Whether the kernel's events come in. */
    private boolean isFollowed;
    /** Changes so far: what was looked up before the latest may be outdated, and is not kept. */
    private long changeCount;

    /** Asks the kernel. */
    @FunctionalInterface
    interface Lookup {
        /** {@return the way to {@code remote}} It may block for {@code waitNanosMax}. */
        NextHop find(InetAddress remote, long waitNanosMax) throws NicException;
    }

    /** A way, and when it was looked up. */
    private record Way(NextHop hop, long foundNanos) {}

    /** Knows no way yet, and keeps none before {@link #follow}. */
    KnownWays(Lookup lookup, LongSupplier clock) {
        this.lookup = lookup;
        this.clock = clock;
    }

    /**
     * {@return the way to {@code remote}, from the kernel if it is not known, which may wait for {@code waitNanosMax}}
     */
    NextHop find(InetAddress remote, long waitNanosMax) throws NicException {
        long nowNanos = clock.getAsLong();
        long changesBefore;
        synchronized (this) {
            NextHop known = known(remote, nowNanos);
            if (known != null) {
                return known;
            }
            changesBefore = changeCount;
        }
        NextHop hop = lookup.find(remote, waitNanosMax);
        keep(remote, new Way(hop, nowNanos), changesBefore);
        return hop;
    }

    /** {@return the way to {@code remote}, or null if the kernel has to be asked} */
    NextHop known(InetAddress remote) {
        return known(remote, clock.getAsLong());
    }

    private synchronized NextHop known(InetAddress remote, long nowNanos) {
        Way way = ways.get(remote);
        return way != null && nowNanos - way.foundNanos() < AGE_NANOS_MAX ? way.hop() : null;
    }

    private synchronized void keep(InetAddress remote, Way way, long changesBefore) {
        if (!isFollowed || changeCount != changesBefore) {
            return;
        }
        forget(remote);
        if (ways.size() >= WAYS_MAX) {
            clear();
        }
        ways.put(remote, way);
        remotesByHop
                .computeIfAbsent(way.hop().address(), hop -> new HashSet<>())
                .add(remote);
    }

    private void forget(InetAddress remote) {
        Way way = ways.remove(remote);
        if (way != null) {
            remotesByHop.computeIfPresent(way.hop().address(), (hop, remotes) -> {
                remotes.remove(remote);
                return remotes.isEmpty() ? null : remotes;
            });
        }
    }

    private void clear() {
        ways.clear();
        remotesByHop.clear();
    }

    /** From now on every change is told, or no longer. */
    synchronized void follow(boolean isTold) {
        isFollowed = isTold;
        forgetAll();
    }

    /**
     * The kernel says something, perhaps of another interface: a route may lead by this one from now on, or no longer.
     */
    synchronized void onEvent(KernelEvent event) {
        if (event instanceof KernelEvent.Neighbour neighbour) {
            changeCount++;
            Set<InetAddress> remotes = remotesByHop.remove(neighbour.address());
            if (remotes != null) {
                remotes.forEach(ways::remove);
            }
        } else {
            forgetAll();
        }
    }

    /** Events were lost, or something else has changed. */
    synchronized void forgetAll() {
        changeCount++;
        clear();
    }
}
