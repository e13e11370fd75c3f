package io.weir.nic.xdp;

/**
 * A driver that does not keep the XDP program that it took. Its ports run the program behind it, unless {@link
 * io.weir.transport.runtime.XdpMode#NATIVE} is asked for.
 */
final class UnsafeNative {
    /**
     * It clears its pointer to the program, without giving it back, each time it empties its receive rings ({@code
     * vmxnet3_rq_cleanup_all}), also to set the interface down or for a new MTU. The kernel goes on to say that the
     * program is attached, and keeps it loaded until the machine ends.
     */
    private static final String VMXNET3 = "vmxnet3";

    private UnsafeNative() {}

    /** {@return why a port on this driver is generic, or null where nothing is known against it} */
    static String problem(String driver) {
        return driver.equals(VMXNET3)
                ? "native is not tried: driver vmxnet3 forgets the program when the interface goes down or its MTU"
                        + " changes; mode native tries it"
                : null;
    }
}
