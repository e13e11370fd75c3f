package io.weir.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import io.weir.netty.ChannelKind.Ends;
import io.weir.transport.testing.CallLog;
import io.weir.transport.testing.ParityCase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Sequences of calls of channels: binding, connecting, and what ends a connection. */
@SuppressWarnings("FutureReturnValueIgnored") // each case tells what its channels see
final class ChannelCases {
    private ChannelCases() {}

    static List<ParityCase<ChannelKind>> all() {
        return List.of(
                ParityCase.of("close, then bind again", ChannelCases::bindAgain),
                ParityCase.of("close next to an accepted channel, then bind again", ChannelCases::bindNextToAccepted),
                ParityCase.of("close, then connect", ChannelCases::connectToClosed),
                ParityCase.of("bind at one address, connect to another", ChannelCases::bindElsewhere),
                ParityCase.of("bind at two addresses on one port", ChannelCases::bindAtTwoAddresses),
                ParityCase.of("bind a taken port, then a free one", ChannelCases::bindTaken),
                ParityCase.of("bind a listener twice", ChannelCases::bindTwice),
                ParityCase.of("bind any port, ask, close, ask", ChannelCases::askListener),
                ParityCase.of("bind a foreign address", ChannelCases::bindForeign),
                ParityCase.of("listen without reading, then read", ChannelCases::acceptOnRead),
                ParityCase.of("connect to a closed port", ChannelCases::connectRefused),
                ParityCase.of("connect twice", ChannelCases::connectTwice),
                ParityCase.of("close, then use", ChannelCases::useAfterClose),
                ParityCase.of("bind a client to any port, ask, connect", ChannelCases::clientAnyPort),
                ParityCase.of("bind a client to a chosen port, connect", ChannelCases::clientChosenPort),
                ParityCase.of("connect from a chosen port", ChannelCases::connectFromPort),
                ParityCase.of("bind a client to a taken port", ChannelCases::clientTakenPort),
                ParityCase.of("bind a client, close, bind another to the port", ChannelCases::clientBindAgain),
                ParityCase.of("bind a client twice", ChannelCases::clientBindTwice),
                ParityCase.of("bind a client, connect to a closed port, bind another", ChannelCases::clientRefused),
                ParityCase.of("states from creation to close", ChannelCases::states),
                ParityCase.of("write before connect", ChannelCases::writeTooEarly),
                ParityCase.of("close", ChannelCases::close),
                ParityCase.of("close twice, ask", ChannelCases::closeTwice),
                ParityCase.of("disconnect", ChannelCases::disconnect),
                ParityCase.of("write, then close", ChannelCases::writeThenClose),
                ParityCase.of("write without flush, then close", ChannelCases::unflushedThenClose),
                ParityCase.of("half-close of a channel without half-closure", ChannelCases::halfCloseCloses),
                ParityCase.of("half-close, answer, close", ChannelCases::halfClose),
                ParityCase.of("half-close, then reset by the peer", ChannelCases::halfCloseThenReset),
                ParityCase.of("half-close twice, then write", ChannelCases::halfCloseTwice),
                ParityCase.of("half-close before connect", ChannelCases::halfCloseTooEarly),
                ParityCase.of("shutdown of input, then bytes", ChannelCases::shutdownInput),
                ParityCase.of("shutdown of both", ChannelCases::shutdownBoth),
                ParityCase.of("linger 0 resets", ChannelCases::lingerZero),
                ParityCase.of("reset, then write", ChannelCases::writeAfterReset),
                ParityCase.of("write to a peer that has closed", ChannelCases::writeToClosed),
                ParityCase.of("close with bytes unread", ChannelCases::closeUnread),
                ParityCase.of("addresses", ChannelCases::addresses));
    }

    static ByteBuf bytes(int... values) {
        ByteBuf buffer = Unpooled.buffer(values.length);
        for (int value : values) {
            buffer.writeByte(value);
        }
        return buffer;
    }

    /** Notes whether what was asked for was done, or why not. */
    static void await(CallLog log, String call, Future<?> future) {
        log.tell(call, () -> {
            future.awaitUninterruptibly();
            return future.isSuccess() ? "ok" : Events.nameOf(future.cause());
        });
    }

    private static int portOf(Channel channel) {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    private static InetSocketAddress at(InetAddress address, Channel listener) {
        return new InetSocketAddress(address, portOf(listener));
    }

    private static ChannelFuture connect(ChannelKind kind, InetSocketAddress address) {
        return kind.newBootstrap(new Events()).connect(address);
    }

    private static ChannelFuture bind(ChannelKind kind, InetSocketAddress address) {
        return kind.newServerBootstrap(Events::new).bind(address);
    }

    /** {@return a registered channel that is neither bound nor connected} */
    private static Channel client(ChannelKind kind) {
        return kind.newBootstrap(new Events()).register().syncUninterruptibly().channel();
    }

    // ---- listeners

    private static void bindAgain(ChannelKind kind, CallLog log) throws Exception {
        InetSocketAddress address = kind.closedAddress();
        for (int i = 0; i < 20; i++) {
            ChannelFuture bound = bind(kind, address);
            await(log, "bind " + i, bound);
            await(log, "close " + i, bound.channel().close());
            kind.awaitFree(bound.channel());
        }
    }

    private static void bindNextToAccepted(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InetSocketAddress address = (InetSocketAddress) ends.listener().localAddress();
            await(log, "close", ends.listener().close());
            kind.awaitFree(ends.listener());
            BlockingQueue<Events> accepted = new LinkedBlockingQueue<>();
            Channel next = kind.listen(address, accepted);
            Channel near = connect(kind, address).syncUninterruptibly().channel();
            Events far = ChannelKind.await(accepted);
            await(log, "write", near.writeAndFlush(bytes(1)));
            log.tell("read", far::read);
            await(log, "write by the earlier one", ends.near().writeAndFlush(bytes(2)));
            log.tell("read of the earlier one", ends.farEvents()::read);
            near.close().syncUninterruptibly();
            next.close().syncUninterruptibly();
        }
    }

    private static void connectToClosed(ChannelKind kind, CallLog log) {
        Channel listener = kind.listen(kind.anyPort(), new LinkedBlockingQueue<>());
        InetSocketAddress address = (InetSocketAddress) listener.localAddress();
        ChannelFuture first = connect(kind, address);
        await(log, "connect", first);
        await(log, "close", listener.close());
        kind.awaitFree(listener);
        await(log, "connect after close", connect(kind, address));
        first.channel().close().syncUninterruptibly();
    }

    private static void bindElsewhere(ChannelKind kind, CallLog log) {
        BlockingQueue<Events> accepted = new LinkedBlockingQueue<>();
        Channel listener = kind.listen(new InetSocketAddress(kind.elsewhere(), 0), accepted);
        log.tell(
                "address",
                () -> ((InetSocketAddress) listener.localAddress()).getAddress().equals(kind.elsewhere()));
        await(log, "connect to another", connect(kind, at(kind.serverAddress(), listener)));
        log.tell("accepted", accepted::size);
        listener.close().syncUninterruptibly();
    }

    private static void bindAtTwoAddresses(ChannelKind kind, CallLog log) {
        Channel listener = kind.listen(kind.anyPort(), new LinkedBlockingQueue<>());
        ChannelFuture other = bind(kind, at(kind.elsewhere(), listener));
        await(log, "bind elsewhere", other);
        await(log, "close elsewhere", other.channel().close());
        ChannelFuture near = connect(kind, at(kind.serverAddress(), listener));
        await(log, "connect", near);
        near.channel().close().syncUninterruptibly();
        listener.close().syncUninterruptibly();
    }

    private static void bindTaken(ChannelKind kind, CallLog log) {
        Channel listener = kind.listen(kind.anyPort(), new LinkedBlockingQueue<>());
        InetSocketAddress address = (InetSocketAddress) listener.localAddress();
        ChannelFuture second = bind(kind, address);
        await(log, "bind", second);
        second.channel().closeFuture().awaitUninterruptibly();
        log.tell("open", () -> second.channel().isOpen());
        await(log, "close", listener.close());
        kind.awaitFree(listener);
        ChannelFuture third = bind(kind, address);
        await(log, "bind after close", third);
        third.channel().close().syncUninterruptibly();
    }

    private static void bindTwice(ChannelKind kind, CallLog log) {
        Channel listener = kind.listen(kind.anyPort(), new LinkedBlockingQueue<>());
        await(log, "bind", listener.bind(kind.anyPort()));
        log.tell("open", listener::isOpen);
        log.tell("active", listener::isActive);
        await(log, "close", listener.close());
        await(log, "bind after close", listener.bind(kind.anyPort()));
    }

    private static void askListener(ChannelKind kind, CallLog log) {
        Channel listener = kind.listen(kind.anyPort(), new LinkedBlockingQueue<>());
        log.tell("port", () -> portOf(listener) > 0);
        log.tell(
                "address",
                () -> ((InetSocketAddress) listener.localAddress()).getAddress().equals(kind.serverAddress()));
        log.tell("active", listener::isActive);
        log.tell("remote", listener::remoteAddress);
        await(log, "close", listener.close());
        log.tell("active after close", listener::isActive);
        log.tell("open after close", listener::isOpen);
        log.tell("registered after close", () -> {
            // The first task may come before the one that deregisters.
            listener.eventLoop().submit(() -> {}).syncUninterruptibly();
            listener.eventLoop().submit(() -> {}).syncUninterruptibly();
            return listener.isRegistered();
        });
        await(log, "close again", listener.close());
    }

    private static void bindForeign(ChannelKind kind, CallLog log) throws Exception {
        ChannelFuture foreign = bind(kind, new InetSocketAddress(InetAddress.getByName("192.0.2.77"), 0));
        await(log, "bind", foreign);
        foreign.channel().closeFuture().awaitUninterruptibly();
        log.tell("open", () -> foreign.channel().isOpen());
        log.tell("active", () -> foreign.channel().isActive());
    }

    private static void acceptOnRead(ChannelKind kind, CallLog log) throws Exception {
        BlockingQueue<Events> accepted = new LinkedBlockingQueue<>();
        Channel listener = kind.newServerBootstrap(() -> {
                    Events events = new Events();
                    events.accepted = accepted;
                    return events;
                })
                .option(ChannelOption.AUTO_READ, false)
                .bind(kind.anyPort())
                .syncUninterruptibly()
                .channel();
        ChannelFuture near = connect(kind, (InetSocketAddress) listener.localAddress());
        await(log, "connect", near);
        await(log, "write", near.channel().writeAndFlush(bytes(8)));
        log.tell("accepted", accepted::size);
        log.run("read", listener::read);
        log.tell("first byte", () -> ChannelKind.await(accepted).read());
        near.channel().close().syncUninterruptibly();
        listener.close().syncUninterruptibly();
    }

    // ---- clients

    private static void connectRefused(ChannelKind kind, CallLog log) throws Exception {
        InetSocketAddress closed = kind.closedAddress();
        ChannelFuture first = connect(kind, closed);
        await(log, "connect", first);
        first.channel().closeFuture().awaitUninterruptibly();
        log.tell("open", () -> first.channel().isOpen());
        log.tell("active", () -> first.channel().isActive());
        await(log, "connect again", first.channel().connect(closed));
    }

    private static void connectTwice(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            await(log, "connect", ends.near().connect(ends.listener().localAddress()));
            log.tell("open", ends.near()::isOpen);
            await(log, "close", ends.near().close());
            log.tell("there", ends.farEvents()::next);
        }
    }

    private static void useAfterClose(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.near().close().syncUninterruptibly();
            await(log, "write", ends.near().writeAndFlush(bytes(1)));
            await(log, "connect", ends.near().connect(ends.listener().localAddress()));
            await(log, "bind", ends.near().bind(new InetSocketAddress(0)));
            log.run("read", ends.near()::read);
            log.run("flush", ends.near()::flush);
            await(log, "close", ends.near().close());
            await(log, "disconnect", ends.near().disconnect());
        }
    }

    private static void clientAnyPort(ChannelKind kind, CallLog log) throws Exception {
        BlockingQueue<Events> accepted = new LinkedBlockingQueue<>();
        Channel listener = kind.listen(kind.anyPort(), accepted);
        Channel near = client(kind);
        await(log, "bind", near.bind(new InetSocketAddress(kind.clientAddress(), 0)));
        int port = portOf(near);
        log.tell("has a port", () -> port > 0);
        log.tell("active", near::isActive);
        await(log, "connect", near.connect(listener.localAddress()));
        log.tell("has the port still", () -> portOf(near) == port);
        log.tell(
                "port of the peer",
                () -> ((InetSocketAddress) ChannelKind.await(accepted).channel.remoteAddress()).getPort() == port);
        near.close().syncUninterruptibly();
        listener.close().syncUninterruptibly();
    }

    private static void clientChosenPort(ChannelKind kind, CallLog log) throws Exception {
        int port = kind.freeClientPort();
        BlockingQueue<Events> accepted = new LinkedBlockingQueue<>();
        Channel listener = kind.listen(kind.anyPort(), accepted);
        Channel near = client(kind);
        await(log, "bind", near.bind(new InetSocketAddress(kind.clientAddress(), port)));
        log.tell("port", () -> portOf(near) == port);
        await(log, "connect", near.connect(listener.localAddress()));
        log.tell(
                "port of the peer",
                () -> ((InetSocketAddress) ChannelKind.await(accepted).channel.remoteAddress()).getPort() == port);
        near.close().syncUninterruptibly();
        listener.close().syncUninterruptibly();
    }

    private static void connectFromPort(ChannelKind kind, CallLog log) throws Exception {
        int port = kind.freeClientPort();
        BlockingQueue<Events> accepted = new LinkedBlockingQueue<>();
        Channel listener = kind.listen(kind.anyPort(), accepted);
        ChannelFuture near = kind.newBootstrap(new Events())
                .connect(listener.localAddress(), new InetSocketAddress(kind.clientAddress(), port));
        await(log, "connect", near);
        log.tell("port", () -> portOf(near.channel()) == port);
        await(log, "write", near.channel().writeAndFlush(bytes(4)));
        log.tell("read", () -> ChannelKind.await(accepted).read());
        near.channel().close().syncUninterruptibly();
        listener.close().syncUninterruptibly();
    }

    private static void clientTakenPort(ChannelKind kind, CallLog log) {
        Channel first = client(kind);
        Channel second = client(kind);
        await(log, "bind", first.bind(new InetSocketAddress(kind.clientAddress(), 0)));
        InetSocketAddress taken = (InetSocketAddress) first.localAddress();
        await(log, "bind another", second.bind(taken));
        log.tell("open", second::isOpen);
        await(log, "close", first.close());
        kind.awaitFree(first);
        Channel third = client(kind);
        await(log, "bind after close", third.bind(taken));
        second.close().syncUninterruptibly();
        third.close().syncUninterruptibly();
    }

    private static void clientBindAgain(ChannelKind kind, CallLog log) throws Exception {
        int port = kind.freeClientPort();
        for (int i = 0; i < 5; i++) {
            Channel channel = client(kind);
            await(log, "bind " + i, channel.bind(new InetSocketAddress(kind.clientAddress(), port)));
            await(log, "close " + i, channel.close());
            kind.awaitFree(channel);
        }
    }

    private static void clientBindTwice(ChannelKind kind, CallLog log) {
        Channel channel = client(kind);
        await(log, "bind", channel.bind(new InetSocketAddress(kind.clientAddress(), 0)));
        int port = portOf(channel);
        await(log, "bind again", channel.bind(new InetSocketAddress(kind.clientAddress(), 0)));
        log.tell("open", channel::isOpen);
        log.tell("port", () -> portOf(channel) == port);
        channel.close().syncUninterruptibly();
    }

    private static void clientRefused(ChannelKind kind, CallLog log) throws Exception {
        Channel channel = client(kind);
        await(log, "bind", channel.bind(new InetSocketAddress(kind.clientAddress(), 0)));
        InetSocketAddress address = (InetSocketAddress) channel.localAddress();
        await(log, "connect", channel.connect(kind.closedAddress()));
        channel.closeFuture().awaitUninterruptibly();
        log.tell("open", channel::isOpen);
        kind.awaitFree(channel);
        Channel next = client(kind);
        await(log, "bind another", next.bind(address));
        next.close().syncUninterruptibly();
    }

    private static void states(ChannelKind kind, CallLog log) throws Exception {
        Channel fresh = kind.newClient().get();
        log.tell("created", () -> stateOf(fresh));
        kind.client().register(fresh).syncUninterruptibly();
        log.tell("registered", () -> stateOf(fresh));
        fresh.close().syncUninterruptibly();
        log.tell("closed before it connects", fresh::isOpen);
        try (Ends ends = kind.connect()) {
            log.tell("connected", () -> stateOf(ends.near()));
            log.tell("accepted", () -> stateOf(ends.far()));
            ends.near().close().syncUninterruptibly();
            log.tell("closed", () -> List.of(ends.near().isOpen(), ends.near().isActive()));
        }
    }

    private static List<Object> stateOf(Channel channel) {
        DuplexChannel duplex = (DuplexChannel) channel;
        return List.of(
                channel.isOpen(),
                channel.isRegistered(),
                channel.isActive(),
                channel.isWritable(),
                duplex.isInputShutdown(),
                duplex.isOutputShutdown(),
                duplex.isShutdown(),
                channel.remoteAddress() == null);
    }

    private static void writeTooEarly(ChannelKind kind, CallLog log) {
        Channel channel = client(kind);
        ByteBuf buffer = bytes(1);
        await(log, "write", channel.writeAndFlush(buffer));
        log.tell("references", buffer::refCnt);
        log.tell("open", channel::isOpen);
        channel.close().syncUninterruptibly();
    }

    // ---- the end

    private static void close(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            await(log, "close", ends.near().close());
            log.tell("here", ends.nearEvents()::next);
            log.tell("there", ends.farEvents()::next);
            log.tell("open there", ends.far()::isOpen);
            log.tell(
                    "nothing else",
                    () -> ends.nearEvents().isQuiet() && ends.farEvents().isQuiet());
        }
    }

    private static void closeTwice(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            await(log, "close", ends.near().close());
            await(log, "close again", ends.near().close());
            await(log, "close future", ends.near().closeFuture());
            log.tell("input", ((DuplexChannel) ends.near())::isInputShutdown);
            log.tell("output", ((DuplexChannel) ends.near())::isOutputShutdown);
            log.tell("remote", () -> ends.near().remoteAddress() != null);
        }
    }

    private static void disconnect(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            await(log, "disconnect", ends.near().disconnect());
            log.tell("open", ends.near()::isOpen);
            log.tell("there", ends.farEvents()::next);
        }
    }

    private static void writeThenClose(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ChannelFuture written = ends.near().writeAndFlush(Unpooled.wrappedBuffer(new byte[10_000]));
            ChannelFuture closed = ends.near().close();
            await(log, "write", written);
            await(log, "close", closed);
            log.tell("read", () -> ends.farEvents().read(10_000));
            log.tell("there", ends.farEvents()::next);
        }
    }

    private static void unflushedThenClose(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ByteBuf buffer = bytes(1, 2, 3);
            ChannelFuture written = ends.near().write(buffer);
            await(log, "close", ends.near().close());
            await(log, "write", written);
            log.tell("references", buffer::refCnt);
            log.tell("there", ends.farEvents()::next);
            log.tell("bytes there", ends.farEvents()::hasNoBytes);
        }
    }

    private static void halfCloseCloses(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            await(log, "half-close", ((DuplexChannel) ends.near()).shutdownOutput());
            log.tell("there", ends.farEvents()::next);
            log.tell("open there", ends.far()::isOpen);
            log.tell("here", ends.nearEvents()::next);
        }
    }

    private static Ends halfClosing(ChannelKind kind) throws InterruptedException {
        return kind.connect(
                Map.of(ChannelOption.ALLOW_HALF_CLOSURE, true), Map.of(ChannelOption.ALLOW_HALF_CLOSURE, true));
    }

    private static void halfClose(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = halfClosing(kind)) {
            await(log, "write", ends.near().writeAndFlush(bytes(1)));
            await(log, "half-close", ((DuplexChannel) ends.near()).shutdownOutput());
            log.tell("read there", ends.farEvents()::read);
            log.tell("event there", ends.farEvents()::next);
            log.tell("input there", ((DuplexChannel) ends.far())::isInputShutdown);
            log.tell("active there", ends.far()::isActive);
            await(log, "answer", ends.far().writeAndFlush(bytes(2)));
            log.tell("read here", ends.nearEvents()::read);
            await(log, "close there", ends.far().close());
            log.tell("event here", ends.nearEvents()::next);
            log.tell("active here", ends.near()::isActive);
        }
    }

    private static void halfCloseThenReset(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = halfClosing(kind)) {
            await(log, "half-close", ((DuplexChannel) ends.near()).shutdownOutput());
            log.tell("event there", ends.farEvents()::next);
            ends.far().config().setOption(ChannelOption.SO_LINGER, 0);
            await(log, "reset", ends.far().close());
            log.tell("event here", ends.nearEvents()::next);
            log.tell("next event here", ends.nearEvents()::next);
            await(log, "close here", ends.near().close());
        }
    }

    private static void halfCloseTwice(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = halfClosing(kind)) {
            DuplexChannel near = (DuplexChannel) ends.near();
            await(log, "half-close", near.shutdownOutput());
            await(log, "again", near.shutdownOutput());
            ByteBuf buffer = bytes(1);
            await(log, "write", near.writeAndFlush(buffer));
            log.tell("references", buffer::refCnt);
            log.tell("open", near::isOpen);
            log.tell("output", near::isOutputShutdown);
        }
    }

    private static void halfCloseTooEarly(ChannelKind kind, CallLog log) {
        DuplexChannel channel = (DuplexChannel) client(kind);
        await(log, "output", channel.shutdownOutput());
        await(log, "input", channel.shutdownInput());
        log.tell("open", channel::isOpen);
        channel.close().syncUninterruptibly();
    }

    private static void shutdownInput(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = halfClosing(kind)) {
            DuplexChannel near = (DuplexChannel) ends.near();
            await(log, "shutdown", near.shutdownInput());
            log.tell("input", near::isInputShutdown);
            log.tell("event", ends.nearEvents()::next);
            await(log, "write", near.writeAndFlush(bytes(5)));
            log.tell("read there", ends.farEvents()::read);
            log.tell("active", near::isActive);
            await(log, "again", near.shutdownInput());
        }
    }

    private static void shutdownBoth(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = halfClosing(kind)) {
            DuplexChannel near = (DuplexChannel) ends.near();
            await(log, "shutdown", near.shutdown());
            log.tell("is shut down", near::isShutdown);
            log.tell("event there", ends.farEvents()::next);
            log.tell("open", near::isOpen);
            await(log, "close", near.close());
        }
    }

    private static void lingerZero(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect(Map.of(ChannelOption.SO_LINGER, 0), Map.of())) {
            await(log, "close", ends.near().close());
            log.tell("there", ends.farEvents()::next);
            log.tell("then", ends.farEvents()::next);
            log.tell("open there", ends.far()::isOpen);
        }
    }

    private static void writeAfterReset(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect(Map.of(ChannelOption.SO_LINGER, 0), Map.of())) {
            ends.near().close().syncUninterruptibly();
            log.tell("there", ends.farEvents()::next);
            ends.far().closeFuture().awaitUninterruptibly();
            ByteBuf buffer = bytes(1);
            await(log, "write", ends.far().writeAndFlush(buffer));
            log.tell("references", buffer::refCnt);
        }
    }

    private static void writeToClosed(ChannelKind kind, CallLog log) throws Exception {
        // Without reading, the end is not met before the write.
        try (Ends ends = kind.connect(Map.of(), Map.of(ChannelOption.AUTO_READ, false))) {
            await(log, "close", ends.near().close());
            // Whether the peer's end comes before this write is a matter of time, at both.
            ends.far().writeAndFlush(bytes(1)).awaitUninterruptibly();
            log.run("read", ends.far()::read);
            log.tell("inactive at last", () -> {
                String event = ends.farEvents().next();
                return event.equals("inactive") ? event : ends.farEvents().next();
            });
            log.tell("open", ends.far()::isOpen);
        }
    }

    private static void closeUnread(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect(Map.of(), Map.of(ChannelOption.AUTO_READ, false))) {
            await(log, "write", ends.near().writeAndFlush(bytes(1, 2, 3)));
            await(log, "close there", ends.far().close());
            log.tell("inactive at last", () -> {
                String event = ends.nearEvents().next();
                return event.equals("inactive") ? event : ends.nearEvents().next();
            });
        }
    }

    private static void addresses(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            log.tell(
                    "remote",
                    () -> ends.near().remoteAddress().equals(ends.listener().localAddress()));
            log.tell("local", () -> ends.near().localAddress().equals(ends.far().remoteAddress()));
            log.tell(
                    "local there",
                    () -> ends.far().localAddress().equals(ends.near().remoteAddress()));
            log.tell("parent", () -> ends.far().parent().equals(ends.listener()));
            log.tell("no parent", () -> ends.near().parent() == null);
            log.tell("kind of the parent", () -> ends.listener() instanceof ServerChannel);
        }
    }
}
