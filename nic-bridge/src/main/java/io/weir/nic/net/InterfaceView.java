package io.weir.nic.net;

import java.net.InetAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What is known of one interface, its addresses and its neighbours, kept up to date by the kernel's events; its
 * listener is told of changes alone. It does no I/O, and one thread uses it.
 */
public final class InterfaceView {
    private final int index;
    private final Listener listener;
    /** The usable addresses with their prefixes: one address may be there with several. */
    private final Set<LocalAddress> addresses = new HashSet<>();
    /** What the kernel last said of each neighbour that frames may be sent to. */
    private final Map<InetAddress, KernelEvent.Neighbour> neighbours = new HashMap<>();
    /** What the kernel last said of the interface; null before it said anything. */
    private KernelEvent.Link link;
    /** Whether the interface is gone; nothing is reported from then on. */
    private boolean isGone;

    /** Is told what has changed. */
    public interface Listener {
        /** An address may be used from now on. */
        void onAddressAdded(InetAddress address);

        /** An address may no longer be used. */
        void onAddressRemoved(InetAddress address);

        /** The interface is up or down, or has another MTU or Ethernet address. */
        void onLink(KernelEvent.Link link);

        /** The interface was deleted, or left the namespace. */
        void onGone();

        /** A neighbour answers at an Ethernet address that was not known for it. */
        void onNeighbourMoved(InetAddress address);

        /** Routes have changed. */
        void onRoutes();
    }

    /** Creates the view of the interface with the number {@code index}, with nothing known yet. */
    public InterfaceView(int index, Listener listener) {
        this.index = index;
        this.listener = listener;
    }

    /** Takes the next event; those of other interfaces are left out. */
    public void onEvent(KernelEvent event) {
        if (isGone) {
            return;
        }
        if (event instanceof KernelEvent.Route) {
            listener.onRoutes();
        } else if (event instanceof KernelEvent.Link found && found.index() == index) {
            onLink(found);
        } else if (event instanceof KernelEvent.Address found && found.index() == index) {
            onAddress(found);
        } else if (event instanceof KernelEvent.Neighbour found && found.index() == index) {
            onNeighbour(found);
        }
    }

    /** {@return the Ethernet address of a neighbour, or 0 when none is known to be good} */
    public long macAddressOf(InetAddress neighbour) {
        KernelEvent.Neighbour known = neighbours.get(neighbour);
        return known == null ? 0 : known.macAddress();
    }

    /** {@return the kernel's state of a neighbour that frames may be sent to, or null for any other} */
    public NeighbourState stateOf(InetAddress neighbour) {
        KernelEvent.Neighbour known = neighbours.get(neighbour);
        return known == null ? null : known.state();
    }

    /** The interface has exactly these addresses: what was read after events were lost, or at the beginning. */
    public void setAddresses(Collection<LocalAddress> found) {
        for (LocalAddress address : Set.copyOf(addresses)) {
            if (!found.contains(address)) {
                remove(address);
            }
        }
        found.forEach(this::add);
    }

    /** Forgets all neighbours, because events were lost; those that there are will be told next. */
    public void forgetNeighbours() {
        neighbours.clear();
    }

    private void onLink(KernelEvent.Link found) {
        if (found.isGone()) {
            isGone = true;
            listener.onGone();
            return;
        }
        KernelEvent.Link before = link;
        link = found;
        boolean isChanged = before == null
                || before.isUp() != found.isUp()
                || before.isRunning() != found.isRunning()
                || before.mtuBytes() != found.mtuBytes()
                || before.macAddress() != found.macAddress()
                || before.receiveQueueCount() != found.receiveQueueCount();
        if (isChanged) {
            listener.onLink(found);
        }
    }

    private void onAddress(KernelEvent.Address found) {
        LocalAddress address = new LocalAddress(found.address(), found.prefixBits());
        if (!found.isGone() && found.isUsable()) {
            add(address);
        } else {
            remove(address);
        }
    }

    private void add(LocalAddress address) {
        boolean wasThere = isThere(address.address());
        if (addresses.add(address) && !wasThere) {
            listener.onAddressAdded(address.address());
        }
    }

    private void remove(LocalAddress address) {
        if (addresses.remove(address) && !isThere(address.address())) {
            listener.onAddressRemoved(address.address());
        }
    }

    private boolean isThere(InetAddress address) {
        return addresses.stream().anyMatch(known -> known.address().equals(address));
    }

    /** An entry that is being verified keeps its address: it is good until the kernel says otherwise. */
    private void onNeighbour(KernelEvent.Neighbour found) {
        if (!found.isUsable()) {
            neighbours.remove(found.address());
            return;
        }
        KernelEvent.Neighbour before = neighbours.put(found.address(), found);
        if (before == null || before.macAddress() != found.macAddress()) {
            listener.onNeighbourMoved(found.address());
        }
    }
}
