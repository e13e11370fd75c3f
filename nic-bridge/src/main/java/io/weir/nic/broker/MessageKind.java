package io.weir.nic.broker;

/**
 * What broker and clients tell each other. Numbers are in the machine's byte order, since both are on one machine;
 * texts and lists come with their length.
 *
 * <p>To change what a message has, also change {@link #VERSION}, and both {@link BrokerSession} and {@link
 * BrokerConnection}, which write and read it.
 */
enum MessageKind {
    /** Client: version. The first message. */
    HELLO,
    /** Broker: what the port is, and its memory and bell. */
    WELCOME,
    /** Broker: number of the request, {@link RefusalKind}, sentence. */
    REFUSED,
    /** Client: number of the request, UDP port. */
    CLAIM,
    /** Broker: number of the request. */
    CLAIMED,
    /** Client: UDP port. */
    RELEASE,
    /** Client: number of the request, local port, remote address and port, how long to wait. */
    RESOLVE,
    /** Broker: number of the request, both Ethernet addresses, both IP addresses. */
    PATH,
    /** Broker: number of another client, and memory and bell for frames to and from it. */
    PEER,
    /** Client: number of another client whose rings broke. */
    DROP_PEER,
    /** Client: hosts whose next hops it wants. */
    FIND_MACS,
    /** Client: a host that is silent. */
    VERIFY,
    /** Broker: all addresses of the interface. */
    ADDRESSES,
    /** Broker: the interface's MTU. */
    MTU,
    /** Broker: why the port moves no frames, or an empty text. */
    PORT,
    /** Broker: ways have changed. */
    WAYS_CHANGED,
    /** Broker: the interface's Ethernet address, and those of next hops. */
    MACS,
    /** Broker: an opening that the network sent back. */
    RETURNED,
    /** Broker: the interface was deleted. */
    GONE;

    /** Of all messages together; both sides must have the same. */
    static final int VERSION = 2;

    private static final MessageKind[] VALUES = values();

    /** {@return the kind with this number, or null} */
    static MessageKind of(int number) {
        return number < 0 || number >= VALUES.length ? null : VALUES[number];
    }
}
