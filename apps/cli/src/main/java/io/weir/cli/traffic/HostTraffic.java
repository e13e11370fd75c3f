package io.weir.cli.traffic;

import io.weir.transport.runtime.CycleMonitor;
import java.io.IOException;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** A transport between two hosts, as the measurements use it: Weir, or kernel TCP. */
public interface HostTraffic {
    /** {@return the loops of the hosts, by name; none where the kernel plays them} */
    Map<String, CycleMonitor> hostLoops();

    /** {@return a flow that sends as fast as it may, started} */
    RunningTraffic<ArrivalLog> startBulk() throws IOException;

    /** {@return an exchange of messages of {@code messageBytes}, one at a time, started; its round trips in ns} */
    RunningTraffic<Histogram> startRoundTrips(int messageBytes) throws IOException;

    /** Fails if a flow or exchange has ended that should not have. */
    void requireHealthy() throws IOException;
}
