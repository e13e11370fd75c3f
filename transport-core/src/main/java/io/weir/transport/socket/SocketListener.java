package io.weir.transport.socket;

/**
 * Is told when a socket can be used without waiting. Runs on the loop's thread, so it should only note the fact or use
 * the {@code try} methods; it must not block.
 */
public interface SocketListener {
    /** There is something to read: bytes, the end of the stream, or a failure. */
    void onReadable(WeirSocket socket);

    /** There is room to write again after {@link WeirSocket#tryWrite} found too little. */
    void onWritable(WeirSocket socket);
}
