package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link InterfaceView}. */
class InterfaceViewTest {
    private static final int INDEX = 3;
    private static final int REACHABLE = 2;
    private static final int STALE = 4;
    private static final int FAILED = 0x20;

    private final List<String> heard = new ArrayList<>();
    private final InterfaceView view = new InterfaceView(INDEX, new InterfaceView.Listener() {
        @Override
        public void onAddressAdded(InetAddress address) {
            heard.add("+" + address.getHostAddress());
        }

        @Override
        public void onAddressRemoved(InetAddress address) {
            heard.add("-" + address.getHostAddress());
        }

        @Override
        public void onLink(KernelEvent.Link link) {
            heard.add((link.isRunning() ? "running " : "down ") + link.mtuBytes());
        }

        @Override
        public void onGone() {
            heard.add("gone");
        }

        @Override
        public void onNeighbourMoved(InetAddress address) {
            heard.add(address.getHostAddress() + " at " + view().macAddressOf(address));
        }

        @Override
        public void onRoutes() {
            heard.add("routes");
        }
    });

    private InterfaceView view() {
        return view;
    }

    @Test
    void onEvent_addresses_areToldOnceEach() throws Exception {
        view.onEvent(address(false, "10.0.0.1", 24, true));
        view.onEvent(address(false, "10.0.0.1", 24, true));
        view.onEvent(address(false, "10.0.0.1", 32, true));
        view.onEvent(address(true, "10.0.0.1", 24, true));
        view.onEvent(address(false, "fd77::1", 64, false));
        view.onEvent(address(false, "fd77::1", 64, true));
        view.onEvent(address(true, "10.0.0.1", 32, true));
        assertEquals(List.of("+10.0.0.1", "+fd77:0:0:0:0:0:0:1", "-10.0.0.1"), heard);
    }

    @Test
    void setAddresses_afterEventsWereLost_tellsTheDifference() throws Exception {
        view.onEvent(address(false, "10.0.0.1", 24, true));
        view.onEvent(address(false, "10.0.0.2", 24, true));
        heard.clear();
        view.setAddresses(List.of(
                new LocalAddress(InetAddress.getByName("10.0.0.2"), 24),
                new LocalAddress(InetAddress.getByName("10.0.0.3"), 24)));
        assertEquals(List.of("-10.0.0.1", "+10.0.0.3"), heard);
    }

    @Test
    void onEvent_link_isToldWhenItChanges() {
        view.onEvent(link(false, INDEX, true, 1500));
        view.onEvent(link(false, INDEX, true, 1500));
        view.onEvent(link(false, INDEX, true, 1400));
        view.onEvent(link(false, INDEX, false, 1400));
        view.onEvent(link(true, INDEX, false, 1400));
        view.onEvent(link(false, INDEX, true, 1500));
        assertEquals(List.of("running 1500", "running 1400", "down 1400", "gone"), heard);
    }

    @Test
    void onEvent_neighbour_isToldWhenItsAddressIsAnother() throws Exception {
        view.onEvent(neighbour(false, 1, REACHABLE));
        view.onEvent(neighbour(false, 1, STALE));
        view.onEvent(neighbour(false, 2, REACHABLE));
        assertEquals(List.of("10.0.0.9 at 1", "10.0.0.9 at 2"), heard);
        heard.clear();
        // Failed is no address, whatever the entry still shows.
        view.onEvent(neighbour(false, 2, FAILED));
        assertEquals(0, view.macAddressOf(InetAddress.getByName("10.0.0.9")));
        view.onEvent(neighbour(false, 2, REACHABLE));
        view.onEvent(neighbour(true, 2, REACHABLE));
        assertEquals(0, view.macAddressOf(InetAddress.getByName("10.0.0.9")));
        assertEquals(List.of("10.0.0.9 at 2"), heard);
    }

    @Test
    void onEvent_otherInterface_isLeftOut() throws Exception {
        view.onEvent(link(true, INDEX + 1, true, 1500));
        view.onEvent(new KernelEvent.Address(false, INDEX + 1, InetAddress.getByName("10.0.0.1"), 24, true));
        view.onEvent(new KernelEvent.Route(false));
        assertEquals(List.of("routes"), heard);
    }

    private static KernelEvent address(boolean isGone, String address, int prefixBits, boolean isUsable)
            throws UnknownHostException {
        return new KernelEvent.Address(isGone, INDEX, InetAddress.getByName(address), prefixBits, isUsable);
    }

    private static KernelEvent link(boolean isGone, int index, boolean isRunning, int mtuBytes) {
        return new KernelEvent.Link(isGone, index, "eth0", true, isRunning, 1, mtuBytes, 1, 0, 0);
    }

    private static KernelEvent neighbour(boolean isGone, long mac, int state) throws UnknownHostException {
        return new KernelEvent.Neighbour(
                isGone, INDEX, InetAddress.getByName("10.0.0.9"), mac, new NeighbourState(state));
    }
}
