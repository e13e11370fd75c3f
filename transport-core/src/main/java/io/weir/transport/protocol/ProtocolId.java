package io.weir.transport.protocol;

/**
 * The protocols that a connection can be scheduled by, with their codes on the wire. The opening frame names the one that
 * is wanted and all that are spoken; the accepting frame names the one chosen.
 */
public enum ProtocolId {
    /** Credit-scheduled, delay-bounded congestion control (SIGCOMM 2017). */
    EXPRESSPASS(1);

    private static final ProtocolId[] VALUES = values();

    private final int code;

    ProtocolId(int code) {
        this.code = code;
    }

    /** {@return the code on the wire, 1 to 15} */
    public int code() {
        return code;
    }

    /** {@return the bit of this protocol in a set of protocols} */
    public int bit() {
        return 1 << code;
    }

    /** {@return the protocol with this code, or null for one that this build does not speak} */
    public static ProtocolId of(int code) {
        for (ProtocolId id : VALUES) {
            if (id.code == code) {
                return id;
            }
        }
        return null;
    }
}
