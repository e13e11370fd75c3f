package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.nic.net.DeviceFeatures;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.NetNamespace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an interface's device does to received frames that is in a port's way. It is turned off while the port is open
 * and on again at its end. After {@code kill -9} it stays off, which costs the kernel's traffic time and nothing else.
 *
 * <p>One thread at a time; each change is a few system calls, and may reset the device.
 */
final class PortOffloads implements AutoCloseable {
    /** The device takes the tag of a VLAN off a frame, and no XDP program sees it. */
    static final String TAGS = "rx-vlan-hw-parse";
    /** The device joins frames of a TCP connection; some drivers refuse XDP programs with it. */
    static final List<String> JOINING = List.of("rx-lro", "rx-gro-hw");

    private static final Logger LOG = LoggerFactory.getLogger(PortOffloads.class);

    private final String interfaceName;
    private final Device device;
    /** What was turned off, the latest first. */
    private final Deque<String> turnedOff = new ArrayDeque<>();
    /** What joins frames and was not let be turned off; by {@link #turnOffJoining}. */
    private final List<String> stuckJoining = new ArrayList<>();

    /** What has the features. */
    interface Device {
        /** {@return those that are on} */
        Set<String> on() throws NicException;

        /** {@return whether the feature is as wanted now; the driver may not let it be changed} */
        boolean set(String feature, boolean isOn) throws NicException;
    }

    PortOffloads(String interfaceName, Device device) {
        this.interfaceName = interfaceName;
        this.device = device;
    }

    /** {@return those of an interface, whatever its name is later} */
    static PortOffloads of(NetNamespace namespace, InterfaceFacts facts) {
        return new PortOffloads(facts.name(), new Device() {
            @Override
            public Set<String> on() throws NicException {
                return namespace.call(() -> DeviceFeatures.on(facts.name()));
            }

            @Override
            public boolean set(String feature, boolean isOn) throws NicException {
                return namespace.call(() -> {
                    InterfaceFacts now = Interfaces.lookUp(facts.index()).orElse(null);
                    // One that was deleted has nothing to be turned on again.
                    return now == null || DeviceFeatures.set(now.name(), feature, isOn);
                });
            }
        });
    }

    /**
     * Has the device leave tags in the frames, where VLANs share the interface: a switch would merge them.
     *
     * @param vlans the VLAN interfaces on this one
     * @return what the port's description says of it
     * @throws NicException if it cannot be, and frames would go to a wrong VLAN
     */
    String keepTags(ProgramKind kind, List<String> vlans) throws NicException {
        if (!device.on().contains(TAGS)) {
            return "";
        }
        String byHand = "ethtool -K " + interfaceName + " rxvlan off";
        if (kind == ProgramKind.HOST && vlans.isEmpty()) {
            return "; the device takes off tags of VLANs, so that datagrams of every VLAN count as untagged: where that"
                    + " matters, " + byHand;
        }
        if (turnOff(TAGS)) {
            return "; rxvlan is off until the port closes, so that frames keep their tags";
        }
        if (kind == ProgramKind.SWITCH) {
            throw new NicException("the device of " + interfaceName + " takes tags of VLANs off received frames, its"
                    + " driver does not let that be turned off (" + byHand + "), and the switch would merge VLANs;"
                    + " use backend af-packet for this port, which gets the tags");
        }
        return "; the device takes off tags of VLANs, and its driver does not let that be turned off: datagrams of "
                + vlans + " for this interface's addresses count as untagged";
    }

    /** {@return what joined frames and is off now, by ethtool's names} */
    List<String> turnOffJoining() throws NicException {
        List<String> off = new ArrayList<>();
        Set<String> on = device.on();
        for (String feature : JOINING) {
            if (on.contains(feature)) {
                (turnOff(feature) ? off : stuckJoining).add(feature);
            }
        }
        return off;
    }

    /** {@return what joins frames and was not let be turned off} */
    List<String> stuckJoining() {
        return List.copyOf(stuckJoining);
    }

    /** Turns on again what joins frames. */
    void restoreJoining() {
        JOINING.forEach(feature -> {
            if (turnedOff.remove(feature)) {
                turnOn(feature);
            }
        });
    }

    private boolean turnOff(String feature) throws NicException {
        if (!device.set(feature, false)) {
            return false;
        }
        turnedOff.push(feature);
        return true;
    }

    private void turnOn(String feature) {
        try {
            if (!device.set(feature, true)) {
                LOG.warn("interface={} feature={} does not go on again", interfaceName, feature);
            }
        } catch (NicException e) {
            LOG.warn("interface={} feature={} stays off reason=\"{}\"", interfaceName, feature, e.getMessage());
        }
    }

    /** Turns on again all that was turned off. */
    @Override
    public void close() {
        while (!turnedOff.isEmpty()) {
            turnOn(turnedOff.pop());
        }
    }
}
