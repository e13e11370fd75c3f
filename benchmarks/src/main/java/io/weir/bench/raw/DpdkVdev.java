package io.weir.bench.raw;

import io.weir.nic.lab.TwoHosts;

/** A virtual device of DPDK's, and how its two ends are described. */
enum DpdkVdev {
    /** Shared memory of two processes. */
    MEMIF("net_memif"),
    /** AF_PACKET with rings that the kernel shares, over a veth pair. */
    AF_PACKET("net_af_packet"),
    /** AF_XDP over a veth pair. */
    AF_XDP("net_af_xdp");

    /** A veth pair's ends in one namespace. */
    static final String NEAR_INTERFACE = "weir1";
    /** The other end of the same. */
    static final String FAR_INTERFACE = "weir2";

    private final String driver;

    DpdkVdev(String driver) {
        this.driver = driver;
    }

    /** {@return the device at the other end, which is there first} */
    String peer() {
        return end(0, this == MEMIF ? "role=server,id=0,socket=weir-raw" : "iface=" + TwoHosts.INTERFACE);
    }

    /** {@return the device of the side that is measured} */
    String device() {
        return end(1, this == MEMIF ? "role=client,id=0,socket=weir-raw" : "iface=" + TwoHosts.INTERFACE);
    }

    /** {@return the first of two devices of one process that are each other's other end} */
    String near() {
        return this == MEMIF ? peer() : end(0, "iface=" + NEAR_INTERFACE);
    }

    /** {@return the second of them} */
    String far() {
        return this == MEMIF ? device() : end(1, "iface=" + FAR_INTERFACE);
    }

    private String end(int number, String arguments) {
        return driver + number + "," + arguments;
    }

    /** {@return whether both ends are in one network namespace} */
    boolean isWithinOneNamespace() {
        return this == MEMIF;
    }

    /** {@return what the reports call it} */
    String label() {
        return driver;
    }
}
