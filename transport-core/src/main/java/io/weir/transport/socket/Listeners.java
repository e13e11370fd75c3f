package io.weir.transport.socket;

import io.weir.transport.host.ConnectionAcceptor;
import io.weir.transport.wire.IpAddress;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * Listens on the ports of a transport: each on every loop, as any of them may have the next connection. Any thread.
 *
 * <p>Who stops listening may listen again at once: a port is free from then on, and a loop that does not know of the
 * end yet ends the earlier listener before it begins the next.
 */
final class Listeners {
    private final TransportLoops loops;
    private final PortClaims claims;
    private final TransportEnd end;
    private final LocalAddresses addresses;
    /** Those that go on. */
    private final Queue<Listening> open = new ConcurrentLinkedQueue<>();
    /** Those that are over and of which a loop may not know. */
    private final Queue<Listening> ending = new ConcurrentLinkedQueue<>();

    /** Creates listeners of no port. */
    Listeners(TransportLoops loops, PortClaims claims, TransportEnd end, LocalAddresses addresses) {
        this.loops = loops;
        this.claims = claims;
        this.end = end;
        this.addresses = addresses;
    }

    /**
     * Offers connections to each loop's acceptor. A thread that runs a loop waits for no other one.
     *
     * @param local the address that connections must come to, the wildcard for any; port 0 for one that nobody uses
     * @throws BindException if the port is in use, or the address is not the transport's
     */
    Listening listen(InetSocketAddress local, Function<TransportLoop, ConnectionAcceptor> acceptors)
            throws IOException {
        IpAddress address = addresses.require(local);
        end.requireRunning();
        if (local.getPort() != 0) {
            return listen(local.getPort(), address, acceptors);
        }
        int first = ThreadLocalRandom.current().nextInt(Opener.EPHEMERAL_PORT_COUNT);
        BindException last = null;
        for (int i = 0; i < Opener.EPHEMERAL_PORT_COUNT; i++) {
            int port = Opener.EPHEMERAL_PORT_MIN + (first + i) % Opener.EPHEMERAL_PORT_COUNT;
            try {
                return listen(port, address, acceptors);
            } catch (BindException e) {
                last = e;
            }
        }
        throw last;
    }

    private Listening listen(int port, IpAddress local, Function<TransportLoop, ConnectionAcceptor> acceptors)
            throws IOException {
        Listening listening =
                new Listening(port, local, loops.all().stream().map(acceptors).toList(), this::stop);
        boolean isNew = claims.claimForListening(listening);
        boolean isListening = false;
        try {
            isListening = listenOnAll(listening);
        } finally {
            if (!isListening) {
                claims.abandonListening(listening, isNew);
            }
        }
        if (!isListening) {
            throw new BindException("port " + port + " is listened on by the host's stack itself");
        }
        open.add(listening);
        return listening;
    }

    /** {@return whether the port was free on every loop that can be waited for} */
    private boolean listenOnAll(Listening listening) throws IOException {
        TransportLoop own = loops.own();
        List<TransportLoop> listeningOn = new ArrayList<>();
        boolean isWhole = false;
        try {
            for (TransportLoop home : loops) {
                if (own != null && !own.equals(home)) {
                    home.executePrepared(home.prepare(now -> listenOn(home, listening)));
                } else if (!home.call(now -> listenOn(home, listening), WaitClock.NO_TIMEOUT_NANOS)) {
                    return false;
                }
                listeningOn.add(home);
            }
            isWhole = true;
            return true;
        } finally {
            if (!isWhole) {
                listening.end();
                listeningOn.forEach(home -> home.executePrepared(home.prepare(now -> removeFrom(home, listening))));
            }
        }
    }

    private boolean listenOn(TransportLoop home, Listening listening) {
        for (Listening earlier : ending) {
            if (earlier.localPort() == listening.localPort()) {
                endOn(home, earlier);
            }
        }
        return home.host().listen(listening.localPort(), listening.local(), listening.acceptor(home.index()));
    }

    /** Takes no more connections. The port is free at once; it is given back when every loop has run a cycle. */
    void stop(Listening listening) {
        if (!listening.end()) {
            return;
        }
        ending.add(listening);
        open.remove(listening);
        claims.stopListening(listening);
        for (TransportLoop home : loops) {
            home.executePrepared(home.prepare(now -> endOn(home, listening)));
        }
    }

    /** Takes no more connections on a port, by whatever listens on it. */
    void stop(int port) {
        for (Listening listening : open) {
            if (listening.localPort() == port) {
                stop(listening);
            }
        }
    }

    private void endOn(TransportLoop home, Listening listening) {
        if (listening.takeEndOn(home.index())) {
            removeFrom(home, listening);
            claims.endListening(listening, home.index());
            if (listening.isEndedOnAll()) {
                ending.remove(listening);
            }
        }
    }

    private static void removeFrom(TransportLoop home, Listening listening) {
        home.host().stopListening(listening.localPort(), listening.acceptor(home.index()));
    }
}
