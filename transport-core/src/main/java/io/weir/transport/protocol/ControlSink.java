package io.weir.transport.protocol;

/**
 * What a protocol may ask of the connection that it schedules. Calls only note the wish; frames leave when they may.
 */
public interface ControlSink {
    /** Asks for a REQUEST to be sent. */
    void sendRequest();

    /** Asks for a REQUEST if more waits than the frames that the protocol has credits in hand for. */
    void requestBeyond();

    /** Asks for a REQUEST that repeats what the receiver has been told, since no credit came in time. */
    void repeatRequest();

    /** Asks for a data frame without payload to be sent, see {@link SenderProtocol#onProbe}. */
    void sendProbe();

    /** Asks for a STOP to be sent. */
    void sendStop();
}
