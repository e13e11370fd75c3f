package io.weir.transport.socket;

import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionAcceptor;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.wire.IpAddress;
import java.io.Closeable;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;

/**
 * A port that a transport listens on, at one of its addresses or at all, until it is closed: from then on no connection
 * is taken, and the port is free. Any thread.
 */
public final class Listening implements Closeable {
    /** Has the loops end it. */
    private final Consumer<Listening> onClose;

    private final int port;
    private final IpAddress local;
    /** What each loop asks about connections; in the loops' order. */
    private final List<Acceptor> acceptors;
    /** 1 for each loop that knows of the end, which writes it. */
    private final AtomicIntegerArray endedOn;

    /** How many loops have. */
    private final AtomicInteger endedCount = new AtomicInteger();

    private volatile boolean isOver;

    /** What a loop asks about connections while it goes on. */
    private record Acceptor(Listening listening, ConnectionAcceptor application) implements ConnectionAcceptor {
        @Override
        public ConnectionHandler onIncoming(Connection connection) {
            return application.onIncoming(connection);
        }

        @Override
        public boolean isAccepting() {
            return !listening.isOver;
        }
    }

    /**
     * Creates one that goes on.
     *
     * @param local the address that connections must come to, or null for any
     * @param application what decides about connections, for each loop
     * @param onClose has the loops end it
     */
    Listening(int port, IpAddress local, List<ConnectionAcceptor> application, Consumer<Listening> onClose) {
        this.onClose = onClose;
        this.port = port;
        this.local = local;
        this.acceptors = application.stream()
                .map(acceptor -> new Acceptor(this, acceptor))
                .toList();
        this.endedOn = new AtomicIntegerArray(application.size());
    }

    /** {@return the port} */
    public int localPort() {
        return port;
    }

    /** Accepts no more connections; those that are open stay open. */
    @Override
    public void close() {
        onClose.accept(this);
    }

    /** {@return the address that connections must come to, or null for any} */
    IpAddress local() {
        return local;
    }

    /** {@return whether an address is, or may be, one that it listens at} Null stands for all addresses. */
    boolean isAt(IpAddress address) {
        return local == null || address == null || local.equals(address);
    }

    /** {@return what a loop asks about connections; none is taken after the end} */
    ConnectionAcceptor acceptor(int loopIndex) {
        return acceptors.get(loopIndex);
    }

    /** {@return whether this call is the one that has ended it} */
    synchronized boolean end() {
        boolean isFirst = !isOver;
        isOver = true;
        return isFirst;
    }

    /** {@return whether this call is the first for a loop, whose thread calls} */
    boolean takeEndOn(int loopIndex) {
        boolean isFirst = endedOn.get(loopIndex) == 0;
        if (isFirst) {
            endedOn.set(loopIndex, 1);
            endedCount.incrementAndGet();
        }
        return isFirst;
    }

    /** {@return whether every loop has ended it} */
    boolean isEndedOnAll() {
        return endedCount.get() == endedOn.length();
    }
}
