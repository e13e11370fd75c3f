package io.weir.bench.compare;

import java.nio.file.Path;

/**
 * How the link between the two ends is set up, and how Weir uses it. Each kind but for memory is a separate veth pair
 * between the same two namespaces.
 */
enum LinkKind {
    /** As the kernel makes it: segments longer than the MTU, checksums left to the other end. */
    OFFLOADS("ofl", "offloads on"),
    /** Frames as on a wire: no offload, no XDP program. */
    PLAIN("pln", "offloads off"),
    /** As PLAIN, with Weir's XDP program at both ends, which leaves every frame to the kernel. */
    XDP("xdp", "offloads off, XDP program attached"),
    /** As PLAIN, with the program that Weir attaches itself. */
    WEIR("wei", "AF_XDP"),
    /** As PLAIN, with Weir's frames by AF_PACKET. */
    PACKET("pkt", "AF_PACKET"),
    /** As PLAIN, with DPDK's driver of AF_XDP at both ends. */
    DPDK_XDP("dpx", "DPDK, net_af_xdp"),
    /** None: two processes share memory by DPDK's memif. */
    DPDK_MEMIF("", "DPDK, net_memif"),
    /** None: both ends share memory. */
    MEMORY("", "memory");

    private static final String EAL = "eal=--no-huge -m 512";

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
        return !prefix.isEmpty();
    }

    /** {@return whether the kernel's queues shape what Weir sends} */
    boolean isShaped() {
        return isVirtualEthernet() && this != WEIR && this != DPDK_XDP;
    }

    /** {@return the backend by which Weir opens its interface, or empty for its default} */
    String backend() {
        return switch (this) {
            case PACKET -> "af-packet";
            case DPDK_XDP, DPDK_MEMIF -> "dpdk";
            default -> "";
        };
    }

    /**
     * {@return what an end opens: an interface, or a device as docs/DPDK.md describes it}
     *
     * @param folder where both ends find each other
     */
    String opened(boolean isServer, Path folder) {
        String address = ";address=" + (isServer ? serverAddress() : clientAddress()) + "/24;" + EAL;
        String iface = isServer ? serverInterface() : clientInterface();
        return switch (this) {
            case DPDK_XDP -> "device=net_af_xdp0,iface=" + iface + address;
            case DPDK_MEMIF ->
                "device=net_memif0,role=" + (isServer ? "server" : "client") + ",socket-abstract=no,socket="
                        + folder.resolve("memif.sock") + address;
            default -> iface;
        };
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
