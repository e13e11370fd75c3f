package io.weir.bench.compare;

/** How the link between the two ends is set up. Each kind is a veth pair between the same two namespaces. */
enum LinkKind {
    /** As the kernel makes it: segments longer than the MTU, checksums left to the other end. */
    OFFLOADS("ofl", "offloads on"),
    /** Frames as on a wire: no offload, no XDP program. */
    PLAIN("pln", "offloads off"),
    /** As PLAIN, with Weir's XDP program at both ends, which leaves every frame to the kernel. */
    XDP("xdp", "offloads off, XDP program attached"),
    /** As PLAIN, with the program that Weir attaches itself. */
    WEIR("wei", "AF_XDP"),
    /** None: both ends share memory. */
    MEMORY("", "memory");

    private final String prefix;
    private final String label;

    LinkKind(String prefix, String label) {
        this.prefix = prefix;
        this.label = label;
    }

    String label() {
        return label;
    }

    boolean isVirtualEthernet() {
        return this != MEMORY;
    }

    String clientInterface() {
        return prefix + "0";
    }

    String serverInterface() {
        return prefix + "1";
    }

    String clientAddress() {
        return "10.83." + ordinal() + ".1";
    }

    String serverAddress() {
        return "10.83." + ordinal() + ".2";
    }
}
