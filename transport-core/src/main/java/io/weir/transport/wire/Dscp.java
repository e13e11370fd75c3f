package io.weir.transport.wire;

/**
 * The DSCPs by which switches tell Weir's classes apart (the ones of the authors' software implementation), and ECN
 * codes.
 */
public final class Dscp {
    /** Credits. */
    public static final int CREDIT = 0x0A;
    /** Data that a credit permits. */
    public static final int DATA = 0x0C;
    /** Frames without a credit: handshake, acknowledgements, requests, stops. */
    public static final int CONTROL = 0x0E;

    /** ECN: the transport does not understand marks. */
    public static final int ECN_NOT_ECT = 0;
    /** ECN: the transport understands marks. */
    public static final int ECN_ECT0 = 2;
    /** ECN: congestion experienced. */
    public static final int ECN_CE = 3;

    private Dscp() {}

    /** {@return the traffic-class octet of a DSCP and an ECN code} */
    public static int octet(int dscp, int ecn) {
        return dscp << 2 | ecn;
    }
}
