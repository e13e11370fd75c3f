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

/** Makes the handler of an interface's one event loop. Any thread. */
final class WeirIoHandlerFactory implements IoHandlerFactory {
    private final TransportOpener opener;
    /** Whether there is a handler that has not been destroyed. */
    private boolean isTaken;

    WeirIoHandlerFactory(TransportOpener opener) {
        this.opener = Objects.requireNonNull(opener, "opener is null; give what opens a transport");
    }

    @Override
    public IoHandler newHandler(ThreadAwareExecutor executor) {
        take();
        boolean isMade = false;
        try {
            Transport transport = open();
            isMade = true;
            return new WeirIoHandler(executor, transport, this::free);
        } finally {
            if (!isMade) {
                free();
            }
        }
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
                    "the transport has a loop of its own; open it with idleMode=INVOKER, so that Netty's runs it");
        }
        return transport;
    }

    private synchronized void take() {
        if (isTaken) {
            throw new IllegalStateException(
                    "this factory has made an event loop already, and an interface has one: use "
                            + "new MultiThreadIoEventLoopGroup(1, factory), and that group as boss and as worker");
        }
        isTaken = true;
    }

    private synchronized void free() {
        isTaken = false;
    }
}
