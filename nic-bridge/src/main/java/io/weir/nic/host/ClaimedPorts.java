package io.weir.nic.host;

import io.weir.nic.NicException;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.net.ReturnedFrames;
import io.weir.nic.net.UdpReservation;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The UDP ports that a transport has taken from the kernel, on each address that is ours: a port is reserved in the
 * kernel, so that no other program of the host gets it there, and then its frames are taken. The same port of other
 * addresses is left alone.
 *
 * <p>Any thread may call.
 */
final class ClaimedPorts {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimedPorts.class);

    private final HostPorts ports;
    private final NetNamespace namespace;
    private final int interfaceIndex;
    private final Set<InetAddress> addresses;
    /** The same as a list that nobody changes: each opening asks. Written with the lock. */
    private volatile List<InetAddress> listed;

    private final ReturnedFrames returned;
    /** The reservations of each claimed port, by address. */
    private final Map<Integer, Map<InetAddress, UdpReservation>> reservations = new HashMap<>();
    /** Whether claimed ports of some address could not be taken, though no program has them: resources were short. */
    private boolean isIncomplete;

    /**
     * Claims nothing yet; {@code addresses} are those that the ports take datagrams for, {@code returned} watches what
     * is claimed.
     */
    ClaimedPorts(
            HostPorts ports,
            NetNamespace namespace,
            int interfaceIndex,
            List<InetAddress> addresses,
            ReturnedFrames returned) {
        this.returned = returned;
        this.ports = ports;
        this.namespace = namespace;
        this.interfaceIndex = interfaceIndex;
        this.addresses = new LinkedHashSet<>(addresses);
        this.listed = List.copyOf(this.addresses);
    }

    /** {@return the addresses that are ours} */
    List<InetAddress> addresses() {
        return listed;
    }

    /** Takes a port of every address, or of none if another program has it on one. */
    synchronized void claim(int udpPort) throws IOException {
        if (reservations.containsKey(udpPort)) {
            throw new BindException("UDP port " + udpPort + " is in use by this transport");
        }
        Map<InetAddress, UdpReservation> made = new HashMap<>();
        boolean isDone = false;
        try {
            namespace.call(() -> {
                for (InetAddress address : addresses) {
                    made.put(address, reserve(address, udpPort));
                }
                return null;
            });
            for (InetAddress address : made.keySet()) {
                ports.addPort(address, udpPort);
            }
            reservations.put(udpPort, made);
            isDone = true;
        } finally {
            if (!isDone) {
                giveBack(udpPort, made);
            }
        }
    }

    private UdpReservation reserve(InetAddress address, int udpPort) throws IOException {
        UdpReservation reservation = UdpReservation.of(address, udpPort, interfaceIndex);
        returned.watch(reservation);
        return reservation;
    }

    /** Leaves a port to the kernel again. */
    synchronized void release(int udpPort) {
        Map<InetAddress, UdpReservation> held = reservations.remove(udpPort);
        if (held != null) {
            giveBack(udpPort, held);
        }
    }

    /**
     * An address is ours from now on: what is claimed is claimed of it too, but for ports that another program has
     * there.
     */
    synchronized void addAddress(InetAddress address) throws NicException {
        if (addresses.contains(address)) {
            return;
        }
        ports.addAddress(address);
        addresses.add(address);
        listed = List.copyOf(addresses);
        reserveMissing(address);
    }

    /**
     * Takes the claimed ports that could not be taken of each address because descriptors or memory were short.
     *
     * @return whether nothing is missing for such a reason
     */
    synchronized boolean complete() throws NicException {
        if (isIncomplete) {
            isIncomplete = false;
            for (InetAddress address : listed) {
                reserveMissing(address);
            }
        }
        return !isIncomplete;
    }

    private void reserveMissing(InetAddress address) throws NicException {
        List<Integer> taken = new ArrayList<>();
        List<Integer> refused = namespace.call(() -> reserveAll(address, taken));
        for (int udpPort : taken) {
            ports.addPort(address, udpPort);
        }
        if (!refused.isEmpty()) {
            LOG.warn(
                    "interface={} address={} udpPorts={} are left to the programs that have them",
                    ports.info().name(),
                    address.getHostAddress(),
                    refused);
        }
    }

    /** {@return the claimed ports that another program has on the address; those reserved go to {@code taken}} */
    private List<Integer> reserveAll(InetAddress address, List<Integer> taken) {
        List<Integer> refused = new ArrayList<>();
        reservations.forEach((udpPort, held) -> {
            try {
                if (!held.containsKey(address)) {
                    held.put(address, reserve(address, udpPort));
                    taken.add(udpPort);
                }
            } catch (BindException e) {
                refused.add(udpPort);
            } catch (IOException e) {
                isIncomplete = true;
                LOG.warn(
                        "interface={} address={} udpPort={} is left to the kernel for now",
                        ports.info().name(),
                        address.getHostAddress(),
                        udpPort,
                        e);
            }
        });
        return refused;
    }

    /** An address is not ours any more. */
    synchronized void removeAddress(InetAddress address) throws NicException {
        if (!addresses.remove(address)) {
            return;
        }
        listed = List.copyOf(addresses);
        for (Map<InetAddress, UdpReservation> held : reservations.values()) {
            UdpReservation reservation = held.remove(address);
            if (reservation != null) {
                returned.giveBack(reservation);
            }
        }
        ports.removeAddress(address);
    }

    private void giveBack(int udpPort, Map<InetAddress, UdpReservation> held) {
        held.forEach((address, reservation) -> {
            try {
                ports.removePort(address, udpPort);
            } catch (NicException | IllegalStateException e) {
                // Of a closed port the program is gone, and takes nothing.
                LOG.debug("udpPort={} of a closed port", udpPort, e);
            }
            returned.giveBack(reservation);
        });
    }
}
