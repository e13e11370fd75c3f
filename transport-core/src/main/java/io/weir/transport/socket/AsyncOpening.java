package io.weir.transport.socket;

import io.weir.transport.host.Connection;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.runtime.LoopTask;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * An opening that no thread waits for. The loop begins it; where the way has to be asked for, or a port decides about
 * the loop, another thread does. Its socket is abandoned when the future ends otherwise than by it.
 */
final class AsyncOpening implements LoopTask {
    private final Opener opener;
    private final TransportLoop home;
    private final InetSocketAddress remote;
    private final ProtocolId protocol;
    private final Executor ways;
    private final CompletableFuture<WeirSocket> future = new CompletableFuture<>();
    /** Null until it is known which loop has it. Written by the thread that opens it. */
    private volatile WeirSocket socket;

    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for what giving up comes to
    AsyncOpening(Opener opener, TransportLoop home, InetSocketAddress remote, ProtocolId protocol, Executor ways) {
        this.opener = opener;
        this.home = home;
        this.remote = remote;
        this.protocol = protocol;
        this.ways = ways;
        future.whenComplete((opened, problem) -> {
            if (problem != null) {
                abandon();
            }
        });
    }

    /** Begins by a port that is chosen for it. */
    CompletableFuture<WeirSocket> begin() {
        try {
            home.executeHelping(this);
        } catch (RejectedExecutionException e) {
            onLoopEnded(e);
        }
        return future;
    }

    /** Begins by a port that is kept for it. */
    CompletableFuture<WeirSocket> beginFrom(LocalPort from) {
        ways.execute(() -> open(() -> opener.openFromPort(
                home, false, remote, from, loop -> newSocket(loop).loopSide(), noDeadline())));
        return future;
    }

    @Override
    public void run(long nowNanos) {
        WeirSocket made = newSocket(home);
        open(() -> {
            Connection begun = opener.tryOpen(home, remote, made.loopSide(), protocol);
            if (begun == null) {
                ways.execute(() -> open(() -> opener.open(home, remote, made.loopSide(), protocol, noDeadline())));
            }
            return begun;
        });
    }

    @Override
    public void onLoopEnded(Throwable failure) {
        IOException end = home.transport().end().reason();
        future.completeExceptionally(end != null ? end : new SocketException("Transport closed"));
    }

    private long noDeadline() {
        return home.transport().clock().nanoTime() + WaitClock.NO_TIMEOUT_NANOS;
    }

    private WeirSocket newSocket(TransportLoop loop) {
        WeirSocket made = new WeirSocket(loop);
        made.loopSide().setOpening(future, remote);
        socket = made;
        return made;
    }

    /** What opens a connection. */
    private interface Way {
        /** {@return the connection, or null where another thread goes on} */
        Connection open() throws IOException;
    }

    private void open(Way way) {
        try {
            Connection begun = way.open();
            if (begun != null) {
                socket.attach(begun);
                if (future.isCompletedExceptionally()) {
                    abandon();
                }
            }
        } catch (IOException | RuntimeException e) {
            future.completeExceptionally(e);
        } catch (Error e) {
            // Who waits is told all the same; the loop, or the thread, ends as by any other fault.
            future.completeExceptionally(e);
            throw e;
        }
    }

    private void abandon() {
        WeirSocket made = socket;
        if (made != null) {
            made.abandon();
        }
    }
}
