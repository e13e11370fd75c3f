package io.weir.agent.core;

import io.weir.transport.fallback.Fallback;
import io.weir.transport.fallback.RuleException;
import io.weir.transport.fallback.Rules;
import io.weir.transport.frame.FramePool;
import io.weir.transport.jdk.DualSocketImpls;
import io.weir.transport.nio.DualSelectorProvider;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a few connections in memory before the program begins: the first opening of a process loads some hundred
 * classes, which takes about as long as the head start over TCP, so that the program's first connection would go over
 * TCP, and stay there.
 */
final class FirstOpening {
    private static final Logger LOG = LoggerFactory.getLogger(FirstOpening.class);

    private static final int FRAMES = 512;
    private static final int FRAME_BYTES = 2_048;
    private static final int MTU_BYTES = 1_500;
    private static final long RATE_BPS = 10_000_000_000L;
    private static final String RULES = "connect * * weir interface=start\n";
    private static final Duration TIME_MAX = Duration.ofSeconds(2);

    private FirstOpening() {}

    /** Plays it; what fails here will fail again, with its reason, when it matters. */
    static void play(SelectorProvider kernel) {
        try {
            playWhole(kernel);
        } catch (IOException | RuleException | RuntimeException e) {
            LOG.debug("the first opening could not be played", e);
        }
    }

    private static void playWhole(SelectorProvider kernel) throws IOException, RuleException {
        FramePool nearPool = new FramePool(FRAMES, FRAME_BYTES);
        FramePool farPool = new FramePool(FRAMES, FRAME_BYTES);
        List<NetInterface> pair = MemoryNetwork.pair(nearPool, farPool, MTU_BYTES, RATE_BPS);
        TransportConfig config = TransportConfig.builder().warmUpNanosMax(0).build();
        try (Transport far = Transport.open(pair.get(1), farPool, config);
                Transport near = Transport.open(pair.get(0), nearPool, config);
                WeirServerSocket listener = far.listen(0);
                Fallback fallback = Fallback.open(Rules.parse("start", RULES), name -> near, TIME_MAX)) {
            InetSocketAddress peer = new InetSocketAddress(far.addresses().get(0), listener.localPort());
            playSocket(fallback, listener, peer);
            playChannel(new DualSelectorProvider(kernel, fallback), listener, peer);
        }
    }

    private static void playSocket(Fallback fallback, WeirServerSocket listener, InetSocketAddress peer)
            throws IOException {
        try (Socket socket = new Socket(DualSocketImpls.ofSockets(fallback).createSocketImpl()) {}) {
            socket.connect(peer, (int) TIME_MAX.toMillis());
            try (WeirSocket accepted = listener.accept()) {
                socket.getOutputStream().write(1);
                ByteBuffer one = ByteBuffer.allocate(1);
                accepted.read(one);
                accepted.write(one.flip());
                int unused = socket.getInputStream().read();
            }
        }
    }

    private static void playChannel(SelectorProvider provider, WeirServerSocket listener, InetSocketAddress peer)
            throws IOException {
        try (Selector selector = provider.openSelector();
                SocketChannel channel = provider.openSocketChannel()) {
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            boolean isOpen = channel.connect(peer);
            while (!isOpen && selector.select(TIME_MAX.toMillis()) > 0) {
                selector.selectedKeys().clear();
                isOpen = channel.finishConnect();
            }
            if (isOpen) {
                try (WeirSocket accepted = listener.accept()) {
                    key.interestOps(SelectionKey.OP_READ);
                    channel.write(ByteBuffer.allocate(1));
                    ByteBuffer one = ByteBuffer.allocate(1);
                    accepted.read(one);
                    accepted.write(one.flip());
                    int unused = selector.select(TIME_MAX.toMillis());
                    channel.read(one.clear());
                }
            }
        }
    }
}
