package io.weir.bench.raw;

import io.weir.nic.ffi.Libc;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.xdp.AfXdp;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpPort;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.XdpMode;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Does the jobs in Java, straight on {@link AfXdpPort}, on a thread pinned to one core. */
final class JavaContender {
    private static final int FRAMES = 8192;
    private static final int SLOT_BYTES = 2048;

    private final NetNamespace namespace;
    private final RawOptions options;

    JavaContender(NetNamespace namespace, RawOptions options) {
        this.namespace = namespace;
        this.options = options;
    }

    /** {@return what one run of the job gave} */
    RawResult run(RawJob workload, int sizeBytes) throws InterruptedException, ExecutionException {
        Callable<RawResult> job = () -> runHere(workload, sizeBytes);
        FutureTask<RawResult> task = new FutureTask<>(job);
        Thread thread = new Thread(task, "weir-bench-" + workload.label());
        thread.start();
        return task.get();
    }

    private RawResult runHere(RawJob workload, int sizeBytes) throws Exception {
        Libc.pinThread(options.deviceCore());
        FramePool pool = new FramePool(FRAMES, SLOT_BYTES);
        TestFrames.fill(pool, sizeBytes);
        try (AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort port = xdp.open(config(TwoHosts.INTERFACE));
            Span span = new Span(options.seconds());
            return switch (workload) {
                case RECEIVE -> RawLoops.receive(port, span);
                case TRANSMIT -> RawLoops.transmit(port, pool, sizeBytes, span);
                case FORWARD -> RawLoops.forward(port, xdp.open(config(RawBenchmark.SECOND_INTERFACE)), span);
                case PING -> new PingLoop(port, pool, sizeBytes, options.seconds()).run();
            };
        }
    }

    private AfXdpConfig config(String interfaceName) {
        return AfXdpConfig.switchPort(interfaceName)
                .namespace(namespace.name())
                .mode(options.generic() ? XdpMode.GENERIC : XdpMode.NATIVE)
                .build();
    }
}
