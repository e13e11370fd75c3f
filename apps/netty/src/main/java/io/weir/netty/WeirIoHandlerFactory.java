package io.weir.netty;

import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.util.concurrent.ThreadAwareExecutor;
import io.weir.transport.node.ConfigException;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;

/** Makes the handlers of an interface's event loops, one for each loop of its transport. Any thread. */
final class WeirIoHandlerFactory implements IoHandlerFactory {
    private final TransportOpener opener;
    /** Those of the transport that is open, or null. */
    private WeirLoops loops;

    WeirIoHandlerFactory(TransportOpener opener) {
        this.opener = Objects.requireNonNull(opener, "opener is null; give what opens a transport");
    }

    @Override
    public synchronized IoHandler newHandler(ThreadAwareExecutor executor) {
        if (loops == null) {
            loops = new WeirLoops(open(), this::forget);
        }
        int index = loops.nextIndex();
        if (index < 0) {
            throw new IllegalStateException(
                    "the transport " + loops.transport().loop().name() + " has "
                            + loops.size() + (loops.size() == 1 ? " loop" : " loops")
                            + ", each with its event loop already: make one group of so many threads, and use it as boss and as"
                            + " worker; TransportConfig.queueCount sets the number of loops");
        }
        WeirIoHandler handler = new WeirIoHandler(executor, loops, index);
        loops.add(handler);
        return handler;
    }

    private Transport open() {
        Transport transport;
        try {
            transport = opener.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        if (!transport.loop().isInvoker()) {
            transport.close(Duration.ZERO);
            throw new ConfigException(
                    "the transport runs its own loop; open it with idleMode=INVOKER, so that Netty's runs it");
        }
        return transport;
    }

    private synchronized void forget() {
        loops = null;
    }
}
