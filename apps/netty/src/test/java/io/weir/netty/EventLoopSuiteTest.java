package io.weir.netty;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.testsuite.transport.AbstractSingleThreadEventLoopTest;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs Netty's own tests of event loops over a link in memory. Where the suite gives an end some tenths of a second by
 * the clock, a method here waits for it. Two of the suite's tests do not apply: those of groups that suspend loops.
 */
@ExtendWith(LeakCheck.class)
class EventLoopSuiteTest extends AbstractSingleThreadEventLoopTest {
    @Override
    protected EventLoopGroup newEventLoopGroup() {
        return new MultiThreadIoEventLoopGroup(
                1, WeirIoHandler.newFactory(MemoryHosts.pair().server()));
    }

    @Override
    protected EventLoopGroup newAutoScalingEventLoopGroup() {
        throw new AssertionError("no test here uses it");
    }

    @Override
    protected Channel newChannel() {
        return new WeirServerSocketChannel();
    }

    @Override
    protected Class<? extends ServerChannel> serverChannelClass() {
        return WeirServerSocketChannel.class;
    }

    @Test
    @Override
    @SuppressWarnings("deprecation") // Netty's own test of it
    public void shutdownBeforeStart() {
        EventLoopGroup group = newEventLoopGroup();
        assertFalse(group.isTerminated());
        group.shutdown();
        group.terminationFuture().syncUninterruptibly();
    }

    @Test
    @Override
    public void shutdownGracefullyZeroQuietBeforeStart() {
        newEventLoopGroup().shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    @Override
    public void shutdownGracefullyBeforeStart() {
        newEventLoopGroup()
                .shutdownGracefully(200, 1_000, TimeUnit.MILLISECONDS)
                .syncUninterruptibly();
    }

    @Test
    @Override
    public void gracefulShutdownAfterStart() {
        EventLoopGroup group = newEventLoopGroup();
        group.submit(() -> {}).syncUninterruptibly();
        group.shutdownGracefully(200, 3_000, TimeUnit.MILLISECONDS).syncUninterruptibly();
        assertRejected(group);
    }

    @Test
    @Override
    public void testShutdownGracefullyNoQuietPeriod() {
        EventLoopGroup group = newEventLoopGroup();
        // It stays open: the loop ends all the same.
        new ServerBootstrap()
                .group(group)
                .channel(serverChannelClass())
                .childHandler(new ChannelInboundHandlerAdapter())
                .bind(0)
                .syncUninterruptibly();
        group.shutdownGracefully(0, 1, TimeUnit.MINUTES).syncUninterruptibly();
        assertRejected(group);
    }

    /** A loop that was suspended would leave the frames of its queue unread. */
    @Test
    @Override
    public void testAutoScalingEventLoopGroupCanScaleDownAndBeUsed() {
        assertFalse(WeirIoHandler.newFactory(MemoryHosts.pair().server()).isChangingThreadSupported());
    }

    @Test
    @Disabled("no loop is ever suspended: see the test above")
    @Override
    public void testSubmittingTaskWakesUpSuspendedExecutor() {}

    private static void assertRejected(EventLoopGroup group) {
        assertThrows(RejectedExecutionException.class, () -> group.execute(() -> {}));
    }
}
