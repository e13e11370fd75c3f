package io.weir.transport.protocol;

import io.weir.transport.telemetry.Ledger;

/**
 * Makes the two halves of a protocol for the flows of one host. One instance per host, so that what flows share (a
 * budget, a random generator) lives in it.
 */
public interface ProtocolFactory {
    /** {@return which protocol this is} */
    ProtocolId id();

    /** {@return the sender's half for a new flow} */
    SenderProtocol newSender(FlowContext context);

    /** {@return the receiver's half for a new flow} */
    ReceiverProtocol newReceiver(FlowContext context);

    /** Adds what the flows of the host have taken together: nothing, for most protocols. */
    default void addTo(Ledger ledger) {
        // Flows that share nothing have nothing to give back.
    }
}
