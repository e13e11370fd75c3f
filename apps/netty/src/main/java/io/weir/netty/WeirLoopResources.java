package io.weir.netty;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.netty.resources.LoopResources;

/**
 * Weir's event loops and channels for Reactor Netty, and what is built on it: {@code HttpServer.create().runOn(new
 * WeirLoopResources(group))}. It needs {@code reactor-netty-core}, which this artefact does not bring along.
 */
public final class WeirLoopResources implements LoopResources {
    private final EventLoopGroup group;

    /**
     * Creates them.
     *
     * @param group of {@link WeirIoHandler}; it ends when this is disposed of
     */
    public WeirLoopResources(EventLoopGroup group) {
        this.group = Objects.requireNonNull(group, "group is null; make one with WeirIoHandler.newFactory");
    }

    @Override
    public EventLoopGroup onServer(boolean useNative) {
        return group;
    }

    @Override
    public <C extends Channel> C onChannel(Class<C> type, EventLoopGroup eventLoops) {
        boolean isListener = onChannelClass(type, eventLoops).equals(WeirServerSocketChannel.class);
        return type.cast(isListener ? new WeirServerSocketChannel() : new WeirSocketChannel());
    }

    /**
     * {@return Weir's class of channels}
     *
     * @throws IllegalArgumentException if it is not one of streams
     */
    @Override
    public <C extends Channel> Class<? extends C> onChannelClass(Class<C> type, EventLoopGroup eventLoops) {
        if (type.equals(SocketChannel.class)) {
            return WeirSocketChannel.class.asSubclass(type);
        }
        if (type.equals(ServerSocketChannel.class)) {
            return WeirServerSocketChannel.class.asSubclass(type);
        }
        throw new IllegalArgumentException(
                "Weir has no " + type.getSimpleName() + ", only streams; run that on Reactor Netty's own resources");
    }

    @Override
    public boolean isDisposed() {
        return group.isShuttingDown();
    }

    @Override
    public Mono<Void> disposeLater(Duration quietPeriod, Duration timeout) {
        return Mono.create(
                sink -> group.shutdownGracefully(quietPeriod.toNanos(), timeout.toNanos(), TimeUnit.NANOSECONDS)
                        .addListener(ended -> {
                            if (ended.isSuccess()) {
                                sink.success();
                            } else {
                                sink.error(ended.cause());
                            }
                        }));
    }
}
