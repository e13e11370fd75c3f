package io.weir.cli.demo;

import io.weir.cli.lab.Laboratory;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.OwnTimeLimit;
import io.weir.transport.runtime.SchedulingConfig;
import io.weir.transport.runtime.ThreadTuning;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * Both hosts' transports, run by one thread: with the switches' thread that makes two, so that two cores are enough for
 * every loop to run all the time.
 */
final class Hosts implements AutoCloseable {
    /** The number in the scenario of the host that connects, sends and asks. */
    static final int LEFT = 0;
    /** The number of the host that listens. */
    static final int RIGHT = 1;

    private static final long END_SECONDS_MAX = 5;

    private final Laboratory lab;
    /** By the hosts' numbers. */
    private final List<Transport> transports = new ArrayList<>();

    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isStopping;
    private volatile Throwable failure;

    private Hosts(Laboratory lab) {
        this.lab = lab;
    }

    /** Opens both hosts' interfaces and starts their thread. */
    static Hosts open(Laboratory lab, String backend, DemoPlan plan) throws IOException {
        Hosts hosts = new Hosts(lab);
        TransportConfig config = TransportConfig.builder()
                .idleMode(IdleMode.INVOKER)
                .linkRateBps(plan.hostBps())
                .build();
        try {
            for (int host = LEFT; host <= RIGHT; host++) {
                Backend.Opened port = lab.openHost(host, backend);
                hosts.transports.add(Transport.open(port.netInterface(), port.pool(), config));
            }
        } catch (IOException | RuntimeException e) {
            hosts.transports.forEach(Transport::close);
            throw e;
        }
        Thread thread = new Thread(hosts::run, "weir-hosts");
        thread.setDaemon(true);
        thread.start();
        hosts.awaitStart();
        return hosts;
    }

    /** Until the loops are the thread's, a call of the application would run a cycle itself. */
    private void awaitStart() throws IOException {
        try {
            OwnTimeLimit limit = OwnTimeLimit.ofSeconds(END_SECONDS_MAX);
            if (!limit.await(started::await)) {
                throw new IOException(
                        "the hosts' thread did not start within " + END_SECONDS_MAX + " s" + limit.remark());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the hosts start", e);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // yields to the switches' loop
    private void run() {
        // The transports' loops are invoked, so that this thread speaks for itself.
        ThreadTuning.find().tune(SchedulingConfig.DEFAULT);
        Transport left = left();
        Transport right = right();
        left.loop().adopt();
        right.loop().adopt();
        started.countDown();
        try {
            while (!isStopping) {
                int work = left.runOnce() + right.runOnce();
                if (!left.loop().restIfCrowded(work) && work == 0) {
                    // The switches' loop may share the core.
                    Thread.yield();
                }
            }
        } catch (RuntimeException | AssertionError e) {
            failure = e;
        } finally {
            // At once: neither could drain while this thread closes the other.
            left.close(Duration.ZERO);
            right.close(Duration.ZERO);
            ended.countDown();
        }
    }

    /** {@return the transport of the host that connects, sends and asks} */
    Transport left() {
        return transports.get(LEFT);
    }

    /** {@return the transport of the host that listens} */
    Transport right() {
        return transports.get(RIGHT);
    }

    /** {@return what tells whether the hosts' thread was off its core, by the name of each loop} */
    Map<String, CycleMonitor> loops() {
        Map<String, CycleMonitor> loops = new LinkedHashMap<>();
        loops.put("left host (client)", left().loop().monitor());
        loops.put("right host (server)", right().loop().monitor());
        return loops;
    }

    /** {@return what the hosts' ports are} */
    List<PortInfo> ports() {
        return transports.stream().map(Transport::portInfo).toList();
    }

    /** Fails if the hosts' thread has ended by a fault. */
    void requireHealthy() throws IOException {
        if (failure != null) {
            throw new IOException("the hosts' loop ended by a fault: " + failure, failure);
        }
    }

    /** Ends the thread and gives back the interfaces. */
    @Override
    public void close() {
        lab.expectHostsEnd();
        isStopping = true;
        try {
            OwnTimeLimit limit = OwnTimeLimit.ofSeconds(END_SECONDS_MAX);
            if (!limit.await(ended::await)) {
                throw new IllegalStateException(
                        "the hosts' thread did not end within " + END_SECONDS_MAX + " s" + limit.remark());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
