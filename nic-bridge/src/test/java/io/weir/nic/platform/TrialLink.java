package io.weir.nic.platform;

import io.weir.nic.net.NetNamespace;

/**
 * Two interfaces joined to each other.
 *
 * @param name the device, as the table names it
 * @param a one end
 * @param b the other
 */
record TrialLink(String name, TrialEnd a, TrialEnd b) {
    private static final int FIELDS = 5;

    /** {@return the link of an argument: {@code NAME,NAMESPACE,ADDRESS,NAMESPACE,ADDRESS}} */
    static TrialLink parse(String argument) {
        String[] fields = argument.split(",", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("\"" + argument + "\" has not " + FIELDS + " fields");
        }
        return new TrialLink(
                fields[0],
                new TrialEnd(NetNamespace.of(fields[1]), fields[2]),
                new TrialEnd(NetNamespace.of(fields[3]), fields[4]));
    }
}
