package io.weir.transport.socket;

import io.weir.pacer.SeededRandom;
import io.weir.transport.host.Connection;
import io.weir.transport.host.HostConfig;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.SteeredPort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * The loops of a transport, one for each queue of the interface that was opened: which one the calling thread runs, and
 * which one has the next connection. A thread that runs a loop has that one; others have them in turn. Any thread.
 */
final class TransportLoops implements Iterable<TransportLoop> {
    private final List<TransportLoop> loops;
    private final boolean areInvoked;
    /** Which loop has the next connection, where threads of the application open it. */
    private final AtomicInteger next = new AtomicInteger();

    /**
     * Creates the loops of a transport.
     *
     * @param areInvoked whether threads of the application run them
     */
    TransportLoops(List<TransportLoop> loops, boolean areInvoked) {
        this.loops = List.copyOf(loops);
        this.areInvoked = areInvoked;
    }

    /**
     * {@return the loops of a transport that is being made, which do not run yet}
     *
     * @param appClock the application's clock, or null for the machine's
     */
    static TransportLoops of(Transport transport, String name, List<Backend.Opened> queues, LongSupplier appClock)
            throws IOException {
        TransportConfig config = transport.config();
        int count = queues.size();
        HostConfig hostConfig = HostSetup.of(config, queues.get(0).netInterface(), count);
        SteeredPort.Group group = count == 1
                ? null
                : new SteeredPort.Group(count, hostConfig.link().rateBps());
        LongSupplier clock = appClock == null ? EventLoop.machineClock() : appClock;
        List<TransportLoop> made = new ArrayList<>();
        for (Backend.Opened queue : queues) {
            List<ProtocolFactory> protocols = config.protocols().stream()
                    .map(protocol -> protocol.newFactory(
                            new SeededRandom(transport.secureRandom().nextLong())))
                    .toList();
            String loopName = count == 1 ? name : name + "." + made.size();
            made.add(new TransportLoop(
                    transport,
                    made.size(),
                    loopName,
                    new TransportLoop.Parts(queue, hostConfig, protocols, group, clock, appClock != null)));
        }
        return new TransportLoops(made, config.idleMode() == IdleMode.INVOKER);
    }

    /**
     * From now on they are told what changes on their interface, and can be reached from within the process. Once, when
     * nothing else can fail.
     */
    void follow(NetInterface netInterface) throws IOException {
        List<InterfaceChanges> changes =
                loops.stream().map(TransportLoop::changes).toList();
        netInterface.follow(changes.size() == 1 ? changes.get(0) : new AllLoopsChanges(changes));
        loops.forEach(loop -> loop.ownHost().join());
    }

    @Override
    public Iterator<TransportLoop> iterator() {
        return loops.iterator();
    }

    /** {@return all of them, in the order of their numbers} */
    List<TransportLoop> all() {
        return loops;
    }

    int size() {
        return loops.size();
    }

    TransportLoop get(int index) {
        return loops.get(index);
    }

    /** {@return the loop whose cycle the calling thread is in, or null} */
    TransportLoop current() {
        for (TransportLoop loop : loops) {
            if (loop.loop().isInCycle()) {
                return loop;
            }
        }
        return null;
    }

    /** {@return the loop that the calling thread runs, or helps to run just now; or null} */
    TransportLoop own() {
        TransportLoop current = current();
        if (current == null && areInvoked) {
            for (TransportLoop loop : loops) {
                if (loop.loop().isLoopThread()) {
                    return loop;
                }
            }
        }
        return current;
    }

    /** {@return whether the calling thread runs no loop that {@code home} may be waiting for} */
    boolean mayWaitFor(TransportLoop home) {
        return current() == null && (own() == null || home.loop().isLoopThread());
    }

    /** {@return the loop for a connection that the calling thread opens: its own, else one in turn} */
    TransportLoop forNext() {
        TransportLoop own = own();
        return own != null ? own : loops.get(Math.floorMod(next.getAndIncrement(), loops.size()));
    }

    /**
     * {@return the one that has this event loop}
     *
     * @throws IllegalArgumentException if none has
     */
    TransportLoop of(EventLoop loop) {
        return loops.stream()
                .filter(home -> home.loop().equals(loop))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "loop is " + (loop == null ? "null" : loop.name()) + ", and not one of "
                                + loops.stream().map(home -> home.loop().name()).toList()));
    }

    /**
     * {@return the one that has a connection}
     *
     * @throws IllegalArgumentException if none has
     */
    TransportLoop of(Connection connection) {
        for (TransportLoop home : loops) {
            if (home.host() == connection.host()) {
                return home;
            }
        }
        throw new IllegalArgumentException("the connection belongs to another transport than "
                + loops.get(0).loop().name() + "; use the one that opened or accepted it");
    }

    /** From now on handlers run on the loops' own threads alone. */
    void stopSharing() {
        loops.forEach(loop -> loop.loop().helpers().stopSharing());
    }

    /** {@return work done in one cycle of each loop} */
    int runOnce() {
        int work = 0;
        // Without an iterator, which would be an object for each cycle.
        for (int i = 0; i < loops.size(); i++) {
            work += loops.get(i).loop().runOnce();
        }
        return work;
    }
}
