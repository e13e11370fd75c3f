package io.weir.transport.host;

import io.weir.transport.protocol.AckSample;

/** Is told what acknowledgements tell a connection's sender, after its protocol has: for measurements. */
@FunctionalInterface
public interface AckObserver {
    /** An acknowledgement brought news. The sample is good until this returns. */
    void onAck(AckSample ack, long nowNanos);
}
