package io.weir.nic.platform;

/** A kind of network device to try. */
enum PlatformDevice {
    VETH("veth", "", 0),
    VIRTIO_NET("virtio_net", "virtio-net-pci", 0),
    VIRTIO_NET_QUEUES("virtio_net, 4 queues, offloads", "virtio-net-pci@4", 4),
    E1000E("e1000e", "e1000e", 0),
    VMXNET3("vmxnet3", "vmxnet3", 0),
    /** Emulated by QEMU 8 and newer. */
    IGB("igb", "igb", 0);

    private final String title;
    private final String model;
    private final int queueCount;

    PlatformDevice(String title, String model, int queueCount) {
        this.title = title;
        this.model = model;
        this.queueCount = queueCount;
    }

    /** {@return the name in the table} */
    String title() {
        return title;
    }

    /** {@return the link as the emulator is told of it, or empty for one that the kernel makes} */
    String model() {
        return model;
    }

    /** {@return how many queues the devices are told to use, or 0 for as many as they begin with} */
    int queueCount() {
        return queueCount;
    }
}
