package io.weir.bench.latency;

import io.weir.nic.lab.TwoHosts;

/** A way to send a message to the other end of the link and get it back. */
interface Contender {
    /** {@return what it is called in the report} */
    String label();

    /** Exchanges messages for a while, {@code trips} being told of each, and leaves nothing behind. */
    void run(TwoHosts hosts, PingPongOptions options, TripTimer trips) throws Exception;
}
