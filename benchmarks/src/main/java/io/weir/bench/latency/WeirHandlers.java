package io.weir.bench.latency;

import io.weir.cli.traffic.EchoHandler;
import io.weir.cli.traffic.PingHandler;
import io.weir.cli.traffic.QuietHandler;
import io.weir.nic.lab.TwoHosts;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.socket.Transport;
import java.util.concurrent.atomic.AtomicReference;

/** Weir's handlers, which run to completion on the loop's own thread: one thread a side. */
final class WeirHandlers implements Contender {
    private final IdleMode idleMode;

    WeirHandlers(IdleMode idleMode) {
        this.idleMode = idleMode;
    }

    @Override
    public String label() {
        return "Weir handlers, " + idleMode;
    }

    @Override
    public void run(TwoHosts hosts, PingPongOptions options, TripTimer trips) throws Exception {
        AtomicReference<String> ended = new AtomicReference<>();
        boolean pin = idleMode == IdleMode.BUSY_SPIN || options.pin();
        try (Transport server = PingPong.openTransport(hosts, hosts.b(), idleMode, options);
                Transport client = PingPong.openTransport(hosts, hosts.a(), idleMode, options)) {
            if (pin) {
                server.execute(now -> EndThread.pin(EndThread.SERVER_CORE));
                client.execute(now -> EndThread.pin(EndThread.CLIENT_CORE));
            }
            // The end of a run ends its connection.
            server.listen(PingPong.SERVER.getPort(), connection -> QuietHandler.ofAnyEnd(new EchoHandler(ended)));
            client.connect(PingPong.SERVER, QuietHandler.ofAnyEnd(new PingHandler(options.sizeBytes(), trips, ended)));
            trips.await();
        }
    }
}
