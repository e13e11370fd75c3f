package io.weir.bench.selector;

import io.weir.nic.lab.TransportPair;
import io.weir.transport.fallback.Fallback;
import io.weir.transport.fallback.RuleException;
import io.weir.transport.fallback.Rules;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.nio.DualSelectorProvider;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Channels as programs with the agent have them, over two transports that memory joins, whose accepted ends are all
 * registered at one selector. One thread writes, runs both loops, selects and reads: nothing is left to the scheduler.
 */
final class RegisteredKeys implements AutoCloseable {
    private static final int SERVER_PORT = 4720;
    /** The default but for memory: one address may have half of it. */
    private static final StreamLimits STREAMS = StreamLimits.GROWING.withMemoryBytesMax(1L << 30);

    private static final String RULES =
            "connect * * weir interface=client protocol=dctcp\nlisten * * weir interface=server\n";

    private final TransportPair pair;
    private final Selector selector;
    private final List<SocketChannel> near = new ArrayList<>();
    private final ByteBuffer sent = ByteBuffer.allocateDirect(1);
    private final ByteBuffer received = ByteBuffer.allocateDirect(64);

    RegisteredKeys(int count) throws IOException, RuleException {
        pair = TransportPair.inMemory(TransportConfig.builder()
                .streams(STREAMS)
                .idleMode(IdleMode.INVOKER)
                .build());
        Fallback fallback = Fallback.open(
                Rules.parse("benchmark", RULES),
                name -> name.equals("client") ? pair.client() : pair.server(),
                Fallback.HEAD_START_DEFAULT);
        DualSelectorProvider provider = new DualSelectorProvider(SelectorProvider.provider(), fallback);
        selector = provider.openSelector();
        InetSocketAddress server = pair.serverAddress(SERVER_PORT);
        try (ServerSocketChannel listener = provider.openServerSocketChannel().bind(server)) {
            listener.configureBlocking(false);
            for (int i = 0; i < count; i++) {
                open(provider, server, listener);
            }
        }
    }

    private void open(DualSelectorProvider provider, InetSocketAddress server, ServerSocketChannel listener)
            throws IOException {
        SocketChannel connecting = provider.openSocketChannel();
        connecting.configureBlocking(false);
        boolean isOpen = connecting.connect(server);
        SocketChannel accepted = null;
        while (!isOpen || accepted == null) {
            runLoops();
            isOpen = isOpen || connecting.finishConnect();
            accepted = accepted == null ? listener.accept() : accepted;
        }
        near.add(connecting);
        accepted.configureBlocking(false);
        accepted.register(selector, SelectionKey.OP_READ);
    }

    private void runLoops() {
        pair.client().runOnce();
        pair.server().runOnce();
    }

    /** Makes the key of a connection ready so many times, and serves it each time. */
    void carryOverOne(int trips) throws IOException {
        SocketChannel channel = near.get(0);
        for (int i = 0; i < trips; i++) {
            carry(channel);
        }
    }

    /** Makes a key ready so many times, each time the next connection's. */
    void carryInTurn(int trips) throws IOException {
        for (int i = 0; i < trips; i++) {
            carry(near.get(i % near.size()));
        }
    }

    private void carry(SocketChannel channel) throws IOException {
        channel.write(sent.clear());
        int bytes = 0;
        while (bytes == 0) {
            runLoops();
            selector.selectNow();
            for (SelectionKey key : selector.selectedKeys()) {
                bytes += ((SocketChannel) key.channel()).read(received.clear());
            }
            selector.selectedKeys().clear();
        }
        if (bytes != 1) {
            throw new IllegalStateException(bytes + " bytes have come, and one was sent");
        }
    }

    /** {@return how many keys the selector has} */
    int count() {
        return selector.keys().size();
    }

    @Override
    public void close() throws IOException {
        selector.close();
        pair.close(Duration.ZERO);
    }
}
