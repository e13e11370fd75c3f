package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.ffi.DirectMemory;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import org.junit.jupiter.api.Test;

/** Tests {@link UdpReservation} on the loopback interface, which needs no privileges. */
class UdpReservationTest {
    private static final int RESERVATIONS = 32;

    @Test
    void of_portOfAnotherProgram_isRefused() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (DatagramSocket other = new DatagramSocket(0, loopback)) {
            int port = other.getLocalPort();
            assertThrows(BindException.class, () -> UdpReservation.of(loopback, port, 0));
        }
    }

    @Test
    void of_freePort_isKeptUntilItIsGivenBack() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        int port = freePort(loopback);
        UdpReservation reservation = UdpReservation.of(loopback, port, 0);
        assertThrows(BindException.class, () -> new DatagramSocket(port, loopback).close());
        reservation.close();
        new DatagramSocket(port, loopback).close();
    }

    @Test
    void of_datagramForThePort_isDroppedWithoutARefusal() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        int port = freePort(loopback);
        UdpReservation reservation = UdpReservation.of(loopback, port, 0);
        try (DatagramSocket sender = new DatagramSocket(0, loopback)) {
            sender.connect(new InetSocketAddress(loopback, port));
            sender.send(new DatagramPacket(new byte[8], 8));
            // A port that nobody has answers by ICMP before send returns, and the next call fails with that.
            assertDoesNotThrow(() -> sender.send(new DatagramPacket(new byte[8], 8)));
            reservation.close();
            sender.send(new DatagramPacket(new byte[8], 8));
            assertThrows(
                    PortUnreachableException.class, () -> sender.send(new DatagramPacket(new byte[8], 8)), "the probe");
        }
    }

    @Test
    void of_manyPorts_takesMemoryForTheAddressAlone() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        UdpReservation.of(loopback, freePort(loopback), 0).close();
        long before = DirectMemory.bufferCount();
        for (int i = 0; i < RESERVATIONS; i++) {
            UdpReservation.of(loopback, freePort(loopback), 0).close();
        }
        long made = DirectMemory.bufferCount() - before;
        assertTrue(made <= RESERVATIONS, "direct buffers: " + made);
    }

    /** {@return a port that nobody has just now} */
    private static int freePort(InetAddress address) throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, address)) {
            return socket.getLocalPort();
        }
    }
}
