package io.weir.cli.paper.live;

import io.weir.nic.lab.Lab;
import io.weir.nic.lab.LabEnd;
import io.weir.nic.lab.LabLink;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.host.Stamping;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.ParkWaiter;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Two hosts on one veth pair, each with a core: Weir's stack on both, or the kernel's. */
final class BackToBack implements AutoCloseable {
    private final Lab lab;
    private final LabEnd left;
    private final LabEnd right;

    /** Makes the namespaces and the link. */
    BackToBack() throws IOException {
        lab = Lab.create();
        try {
            left = LiveHost.end(0, lab.namespace("left"));
            right = LiveHost.end(1, lab.namespace("right"));
            lab.link(LabLink.between(left, right).withStaticNeighbours());
        } catch (IOException | RuntimeException e) {
            lab.close();
            throw e;
        }
    }

    NetNamespace left() {
        return left.namespace();
    }

    NetNamespace right() {
        return right.namespace();
    }

    /**
     * What a flow told of round trips.
     *
     * @param samples of its acknowledgements
     * @param port what the sender's port was
     */
    record Measured(DelaySamples samples, PortInfo port) {}

    /** {@return what one flow of {@code windowSegments} in flight told in {@code nanos}} */
    Measured measure(Stamping stamping, int windowSegments, long linkRateBps, long nanos) throws IOException {
        DelaySamples samples = new DelaySamples();
        LiveHost sender = new LiveHost(0, left, new DelayProbe(windowSegments, samples), linkRateBps, stamping);
        LiveHost receiver;
        try {
            receiver = new LiveHost(1, right, new DelayProbe(windowSegments, null), linkRateBps, stamping);
        } catch (IOException e) {
            sender.port().close();
            throw e;
        }
        receiver.listen();
        try (EventLoop near = loop("weir-live-left", sender);
                EventLoop far = loop("weir-live-right", receiver)) {
            samples.watch(() -> near.monitor().stallCount() + far.monitor().stallCount());
            far.start();
            near.start();
            near.execute(now -> sender.connect(receiver, Feed.bulk(), now));
            sleep(nanos);
            requireHealthy(near);
            requireHealthy(far);
        }
        return new Measured(samples, sender.port().info());
    }

    private static EventLoop loop(String name, LiveHost host) {
        return new EventLoop(name, List.of(host.binding()), IdleMode.BUSY_SPIN, new ParkWaiter(), () -> host.stack()
                .close());
    }

    static void requireHealthy(EventLoop loop) throws IOException {
        if (loop.failure() != null) {
            throw new IOException("the loop ended by a fault: " + loop.failure(), loop.failure());
        }
        if (loop.portFailure() != null) {
            throw new IOException("a port failed: " + loop.portFailure());
        }
    }

    static void sleep(long nanos) {
        long endNanos = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public void close() {
        lab.close();
    }
}
