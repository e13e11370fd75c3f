package io.weir.nic.platform;

import java.util.List;
import java.util.stream.Stream;

/** A kernel on a kind of processor, and the devices that one boot of it tries. */
enum PlatformBoot {
    BULLSEYE("bullseye", "amd64", "x86-64"),
    BOOKWORM("bookworm", "amd64", "x86-64"),
    TRIXIE("trixie", "amd64", "x86-64"),
    /** Debian's newest kernel for a release. */
    NEWEST("trixie-backports", "amd64", "x86-64");

    private final String kernel;
    private final String architecture;
    private final String processor;

    PlatformBoot(String kernel, String architecture, String processor) {
        this.kernel = kernel;
        this.architecture = architecture;
        this.processor = processor;
    }

    /** {@return Debian's release, with the package where it is not the usual one} */
    String kernel() {
        return kernel;
    }

    /** {@return Debian's name of the processor} */
    String architecture() {
        return architecture;
    }

    /** {@return the processor's name in the table} */
    String processor() {
        return processor;
    }

    /** {@return what it is tried on} igb has zero-copy from 6.14 on: the newest takes the place of the other cards. */
    List<PlatformDevice> devices() {
        return Stream.of(PlatformDevice.values()).filter(this::isTriedOn).toList();
    }

    private boolean isTriedOn(PlatformDevice device) {
        return switch (device) {
            case VETH, VIRTIO_NET, VIRTIO_NET_QUEUES -> true;
            case E1000E -> this != NEWEST;
            // docs/PLATFORMS.md says what happens on 6.12, which ends the whole boot with a failure.
            case VMXNET3 -> this != NEWEST && this != TRIXIE;
            case IGB -> this == NEWEST;
        };
    }
}
