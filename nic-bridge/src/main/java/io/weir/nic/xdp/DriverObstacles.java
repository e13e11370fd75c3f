package io.weir.nic.xdp;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.net.Ethtool;
import io.weir.nic.net.InterfaceFacts;
import java.util.List;

/** What keeps an XDP program out of a device's driver: joined frames, and queues that are all in use. */
final class DriverObstacles implements PortProgram.Obstacles {
    private static final String ENA = "ena";
    private static final String VIRTIO = "virtio_net";

    private final InterfaceFacts device;
    private final PortOffloads offloads;

    DriverObstacles(InterfaceFacts device, PortOffloads offloads) {
        this.device = device;
        this.offloads = offloads;
    }

    @Override
    public String clear() throws NicException {
        return String.join(" and ", offloads.turnOffJoining());
    }

    @Override
    public void restore() {
        offloads.restoreJoining();
    }

    @Override
    public String advice(int errno) throws NicException {
        return advice(device, errno, Ethtool.receiveQueueCountMax(device.name()), offloads.stuckJoining());
    }

    /** {@return what to do about a refusal} By the drivers' sources: ena_xdp_set, virtnet_xdp_set. */
    static String advice(InterfaceFacts device, int errno, int queueCountMax, List<String> joining) {
        String advice = joining.isEmpty()
                ? ""
                : "; it may be for " + String.join(" and ", joining) + ", which the driver does not let be turned off";
        int spare = queueCountMax - device.receiveQueueCount();
        String fewer = "ethtool -L " + device.name() + " combined " + Math.max(1, queueCountMax / 2);
        if (device.driver().equals(ENA) && errno == Errno.EINVAL.number() && spare < device.receiveQueueCount()) {
            return advice + "; driver ena wants as many spare queues as are in use, and " + device.receiveQueueCount()
                    + " of " + queueCountMax + " are: " + fewer;
        }
        if (device.driver().equals(VIRTIO) && errno == Errno.ENOMEM.number()) {
            return advice + "; this driver virtio_net wants a spare queue for each processor, and has " + spare + ": "
                    + fewer + ", or give the machine more";
        }
        return advice;
    }
}
