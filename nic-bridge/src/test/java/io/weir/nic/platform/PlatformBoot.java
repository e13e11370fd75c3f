package io.weir.nic.platform;

import java.util.List;
import java.util.stream.Stream;

/** A kernel on a kind of processor, and the devices that one boot of it tries. */
enum PlatformBoot {
    BULLSEYE("bullseye", "amd64", "x86-64"),
    BOOKWORM("bookworm", "amd64", "x86-64"),
    TRIXIE("trixie", "amd64", "x86-64"),
    /** Debian's newest kernel for a release. */
    NEWEST("trixie-backports", "amd64", "x86-64"),
    ARM64("trixie", "arm64", "arm64"),
    /** Its pages have 16 KiB. */
    ARM64_16K("trixie/linux-image-arm64-16k", "arm64", "arm64 with 16 KiB pages");

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

    /** {@return what it is tried on} igb has zero-copy from 6.14 on. */
    List<PlatformDevice> devices() {
        return Stream.of(PlatformDevice.values()).filter(this::isTriedOn).toList();
    }

    private boolean isTriedOn(PlatformDevice device) {
        boolean isPc = architecture.equals("amd64");
        return switch (device) {
            case VETH, VIRTIO_NET -> true;
            case VIRTIO_NET_QUEUES, E1000E, VMXNET3 -> isPc;
            case IGB -> this == NEWEST;
        };
    }
}
