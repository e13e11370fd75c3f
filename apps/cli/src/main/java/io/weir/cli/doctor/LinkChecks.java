package io.weir.cli.doctor;

import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.xdp.AfXdp;
import java.util.Optional;

/** Looks at an interface as the kernel's other users see it: its state, addresses, MTU and rate. */
final class LinkChecks {
    private static final int MTU_BYTES_MIN = 576;
    private static final int MTU_BYTES_ETHERNET = 1500;

    private LinkChecks() {}

    static void state(MachineView machine, DeviceView device, Findings found) {
        InterfaceFacts facts = device.facts();
        String name = ShellText.word(facts.name());
        if (!facts.up()) {
            found.add(FindingKind.LINK_DOWN, facts.name() + " is set down", "ip link set " + name + " up");
        } else if (!facts.running()) {
            found.add(
                    FindingKind.LINK_NO_CARRIER,
                    facts.name() + " has no link partner",
                    "# plug in the cable, or set the other end up; then see: ip link show " + name);
        }
        if (machine.files().text(device.path("duplex")).equals("half")) {
            found.add(
                    FindingKind.LINK_HALF_DUPLEX,
                    facts.name() + " is half duplex",
                    "ethtool -s " + name + " autoneg on");
        }
    }

    static void address(MachineView machine, DeviceView device, Findings found) {
        InterfaceFacts facts = device.facts();
        String name = ShellText.word(facts.name());
        Optional<String> master = machine.files().linkName(device.path("master"));
        if (master.isPresent()) {
            found.add(
                    FindingKind.LINK_ENSLAVED,
                    facts.name() + " is a part of " + master.get(),
                    "ip link set " + name + " nomaster  # or open a host on an interface that has the addresses");
        } else if (facts.addresses().isEmpty()) {
            found.add(
                    FindingKind.ADDRESS_MISSING,
                    facts.name() + " has no address that may be used",
                    "# give it one: ip address add ADDRESS/PREFIX dev " + name);
        }
    }

    static void mtu(MachineView machine, DeviceView device, Findings found) {
        InterfaceFacts facts = device.facts();
        String change = "ip link set " + ShellText.word(facts.name()) + " mtu ";
        String what = facts.name() + " has an MTU of " + facts.mtuBytes();
        if (facts.mtuBytes() < MTU_BYTES_MIN) {
            found.add(FindingKind.MTU_SMALL, what + ", less than " + MTU_BYTES_MIN, change + MTU_BYTES_ETHERNET);
        } else if (facts.mtuBytes() < MTU_BYTES_ETHERNET) {
            found.add(
                    FindingKind.MTU_BELOW_ETHERNET,
                    what,
                    "# where the whole path takes more: " + change + MTU_BYTES_ETHERNET);
        } else if (facts.mtuBytes() > AfXdp.MTU_BYTES_MAX) {
            found.add(FindingKind.MTU_LARGE, what + ", more than " + AfXdp.MTU_BYTES_MAX, change + AfXdp.MTU_BYTES_MAX);
        } else if (facts.mtuBytes() > AfXdp.ONE_PIECE_MTU_BYTES_MAX
                && device.features().programs()
                && !device.features().scatter()) {
            found.add(
                    FindingKind.MTU_BEYOND_DRIVER,
                    what + ", more than " + AfXdp.ONE_PIECE_MTU_BYTES_MAX + ", and its driver has no frames in pieces",
                    change + AfXdp.ONE_PIECE_MTU_BYTES_MAX);
        }
    }

    static void rate(MachineView machine, DeviceView device, Findings found) {
        InterfaceFacts facts = device.facts();
        String name = ShellText.word(facts.name());
        if (facts.linkRateBps() == 0 && facts.running()) {
            found.add(
                    FindingKind.LINK_RATE_UNKNOWN,
                    "the driver of " + facts.name() + " does not tell the rate of its link",
                    "# state it: --link-rate RATE, or linkRateBps of TransportConfig");
        }
        if (device.settings().pausesReceive() || device.settings().pausesTransmit()) {
            found.add(
                    FindingKind.LINK_PAUSES,
                    facts.name() + " takes or sends pause frames",
                    "ethtool -A " + name + " autoneg off rx off tx off");
        }
    }
}
