package io.weir.transport.protocol;

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
}
