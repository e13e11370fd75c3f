package io.weir.transport.protocol;

import io.weir.transport.node.ConfigException;

/**
 * A protocol that a connection can be scheduled by. The opening frame names the one that is wanted and all that are
 * spoken; the accepting frame names the one chosen. Codes are listed in docs/WIRE.md; {@code Catalogue} holds that none
 * is taken twice.
 *
 * @param code the code on the wire, 1 to 15
 * @param name what files, commands and results call it
 */
public record ProtocolId(int code, String name) {
    /** The code that no release gives a meaning: for experiments, whose two ends agree on theirs. */
    public static final int EXPERIMENT = 15;

    private static final int CODE_MAX = EXPERIMENT;

    public ProtocolId {
        if (code < 1 || code > CODE_MAX) {
            throw new ConfigException(
                    "protocol " + name + " has code=" + code + ", outside 1.." + CODE_MAX + "; take a free one");
        }
    }

    /** {@return the bit of this protocol in a set of protocols} */
    public int bit() {
        return 1 << code;
    }
}
