package io.weir.netty;

import io.netty.channel.EventLoop;
import io.weir.transport.host.HostStack;
import io.weir.transport.socket.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The event loops of one interface: each runs one loop of the same transport, which is closed with the last of them.
 * Any thread.
 */
final class WeirLoops {
    private final Transport transport;
    private final Runnable onClosed;
    /** The handler of each loop of the transport, in the transport's order; grows to as many as there are loops. */
    private final List<WeirIoHandler> handlers = new ArrayList<>();
    /** Whether each event loop has got a task. */
    private boolean isStarted;
    /** Handlers that have not been destroyed. */
    private int liveCount;

    /** @param onClosed told when the transport has been closed */
    WeirLoops(Transport transport, Runnable onClosed) {
        this.transport = transport;
        this.onClosed = onClosed;
    }

    Transport transport() {
        return transport;
    }

    /** {@return how many event loops the transport needs} */
    int size() {
        return transport.loops().size();
    }

    /** {@return the number of the loop that has no handler yet, or -1} */
    synchronized int nextIndex() {
        return handlers.size() < size() ? handlers.size() : -1;
    }

    synchronized void add(WeirIoHandler handler) {
        handlers.add(handler);
        liveCount++;
    }

    /** {@return whether each loop of the transport has its handler} */
    synchronized boolean isComplete() {
        return handlers.size() == size();
    }

    /** {@return whether the event loop runs one of the transport's loops} */
    synchronized boolean has(EventLoop eventLoop) {
        return handlers.stream().anyMatch(handler -> handler.eventLoop().equals(eventLoop));
    }

    /**
     * Has each event loop run. Netty starts its thread with its first task, and frames of every connection may come by
     * any loop.
     */
    void start() {
        List<WeirIoHandler> all;
        synchronized (this) {
            if (isStarted) {
                return;
            }
            isStarted = true;
            all = List.copyOf(handlers);
        }
        all.forEach(handler -> handler.eventLoop().execute(() -> {}));
    }

    /** {@return the handler of the loop that has this stack} */
    synchronized WeirIoHandler of(HostStack host) {
        return handlers.get(transport.hostStacks().indexOf(host));
    }

    /** {@return what ended one of the loops, or null} */
    Throwable failure() {
        return transport.loops().stream()
                .map(io.weir.transport.runtime.EventLoop::failure)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** A handler ends. The transport goes on for the others', and is closed with the last. */
    void leave() {
        synchronized (this) {
            liveCount--;
            if (liveCount > 0) {
                return;
            }
        }
        try {
            transport.close();
        } finally {
            onClosed.run();
        }
    }
}
