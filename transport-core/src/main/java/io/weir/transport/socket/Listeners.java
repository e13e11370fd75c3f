package io.weir.transport.socket;

import io.weir.transport.host.ConnectionAcceptor;
import java.io.IOException;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Listens on the ports of a transport: each on every loop, as any of them may have the next connection. Any thread. */
final class Listeners {
    private final TransportLoops loops;
    private final PortClaims claims;
    private final TransportEnd end;

    /** Creates listeners of no port. */
    Listeners(TransportLoops loops, PortClaims claims, TransportEnd end) {
        this.loops = loops;
        this.claims = claims;
        this.end = end;
    }

    /**
     * Offers connections to a port to each loop's acceptor. A thread that runs a loop waits for no other one.
     *
     * @throws BindException if the port is in use
     */
    void listen(int port, Function<TransportLoop, ConnectionAcceptor> acceptors) throws IOException {
        PortClaims.requireValid(port);
        end.requireRunning();
        boolean isNew = claims.claimForListening(port);
        boolean isListening = false;
        try {
            isListening = listenOnAll(port, acceptors);
        } finally {
            if (!isListening) {
                claims.abandonListening(port, isNew);
            }
        }
        if (!isListening) {
            throw new BindException("port " + port + " is listened on by the host's stack itself");
        }
    }

    /** {@return whether the port was free on every loop that can be waited for} */
    private boolean listenOnAll(int port, Function<TransportLoop, ConnectionAcceptor> acceptors) throws IOException {
        TransportLoop own = loops.own();
        List<TransportLoop> listening = new ArrayList<>();
        boolean isWhole = false;
        try {
            for (TransportLoop home : loops) {
                ConnectionAcceptor acceptor = acceptors.apply(home);
                if (own != null && !own.equals(home)) {
                    home.executePrepared(home.prepare(now -> home.host().listen(port, acceptor)));
                } else if (!home.call(now -> home.host().listen(port, acceptor), WaitClock.NO_TIMEOUT_NANOS)) {
                    return false;
                }
                listening.add(home);
            }
            isWhole = true;
            return true;
        } finally {
            if (!isWhole) {
                listening.forEach(home ->
                        home.executePrepared(home.prepare(now -> home.host().stopListening(port))));
            }
        }
    }

    /** Takes no more connections to a port. It is free again when every loop has run a cycle. */
    void stop(int port) {
        AtomicInteger left = new AtomicInteger(loops.size());
        for (TransportLoop home : loops) {
            home.executePrepared(home.prepare(now -> {
                home.host().stopListening(port);
                claims.endListening(port, home.index(), left.decrementAndGet() == 0);
            }));
        }
    }
}
