package io.weir.nic.xdp;

/** Why an XDP program left a datagram for an address and port of ours to the kernel, as weir_xdp.bpf.c numbers it. */
public enum SkipReason {
    /** It belongs to a VLAN, and the interface does not. */
    VLAN(1, "with the tag of a VLAN"),
    /** Its IPv4 header has options. */
    IPV4_OPTIONS(2, "with IPv4 options"),
    /** It is part of a datagram. */
    FRAGMENT(3, "fragmented"),
    /** Its IPv6 header is not followed by UDP's. */
    IPV6_EXTENSION(4, "with an IPv6 extension header"),
    /** It came by a queue that was not taken. */
    QUEUE(5, "by a queue that is not taken");

    private final int key;
    private final String words;

    SkipReason(int key, String words) {
        this.key = key;
        this.words = words;
    }

    /** {@return its entry in the program's map} */
    int key() {
        return key;
    }

    /** {@return the reason in words, as in "3 fragmented"} */
    public String words() {
        return words;
    }
}
