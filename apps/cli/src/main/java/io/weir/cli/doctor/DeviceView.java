package io.weir.cli.doctor;

import io.weir.nic.NicException;
import io.weir.nic.bpf.LoadedProgram;
import io.weir.nic.net.DriverFeatures;
import io.weir.nic.net.DriverSettings;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.KernelEvent;
import io.weir.nic.net.Neighbours;
import java.util.List;
import java.util.Optional;

/**
 * What the kernel and the driver tell about one interface.
 *
 * @param facts by rtnetlink and ethtool
 * @param features what the driver offers to XDP
 * @param settings how the driver is set
 * @param program the XDP program on it
 * @param neighbours the hosts that the kernel knows or looks for on its link
 * @param notEthernet why Weir sends no frames by it, or empty
 */
record DeviceView(
        InterfaceFacts facts,
        DriverFeatures features,
        DriverSettings settings,
        Optional<LoadedProgram> program,
        List<KernelEvent.Neighbour> neighbours,
        String notEthernet) {
    DeviceView {
        neighbours = List.copyOf(neighbours);
    }

    /** {@return the interface of this name in the calling thread's network namespace} */
    static DeviceView of(String name) throws NicException {
        InterfaceFacts facts = Interfaces.find(name);
        return new DeviceView(
                facts,
                DriverFeatures.of(facts.index()),
                DriverSettings.of(name),
                facts.xdpProgramId() == 0 ? Optional.empty() : Optional.of(LoadedProgram.find(facts.xdpProgramId())),
                Neighbours.known(facts.index()),
                notEthernet(name));
    }

    private static String notEthernet(String name) {
        try {
            Interfaces.findEthernet(name);
            return "";
        } catch (NicException e) {
            return e.getMessage();
        }
    }

    /** {@return its name} */
    String name() {
        return facts.name();
    }

    /** {@return where sysfs has it, with the path below} */
    String path(String below) {
        return "sys/class/net/" + name() + "/" + below;
    }
}
