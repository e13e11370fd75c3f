package io.weir.nic.testing;

import io.weir.nic.net.NetNamespace;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;

/** Another program of a host, which uses the kernel's UDP: a server that echoes, and a client that asks it. */
public final class UdpEcho implements AutoCloseable {
    private static final int QUESTION_COUNT = 10;

    private final DatagramSocket socket;
    private final Thread thread;

    private UdpEcho(DatagramSocket socket, String name) {
        this.socket = socket;
        this.thread = new Thread(this::serve, name);
        thread.setDaemon(true);
    }

    /** {@return a socket of {@code namespace}, bound to this port of this address} */
    public static DatagramSocket bind(NetNamespace namespace, String address, int port) throws IOException {
        InetAddress local = InetAddress.getByName(address);
        DatagramSocket socket = namespace.call(() -> {
            DatagramSocket unbound = new DatagramSocket(null);
            // Without, Java lets several of its sockets have one port.
            unbound.setReuseAddress(false);
            unbound.bind(new InetSocketAddress(local, port));
            return unbound;
        });
        socket.setSoTimeout((int) Deadline.HANG_GUARD.toMillis());
        return socket;
    }

    /** {@return a server that echoes on this port of this address until it is closed} */
    public static UdpEcho echo(NetNamespace namespace, String address, int port) throws IOException {
        UdpEcho server = new UdpEcho(bind(namespace, address, port), "echo-" + port);
        server.thread.start();
        return server;
    }

    private void serve() {
        DatagramPacket packet = new DatagramPacket(new byte[64], 64);
        while (!socket.isClosed()) {
            try {
                packet.setLength(64);
                socket.receive(packet);
                socket.send(packet);
            } catch (SocketException e) {
                return;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    /**
     * Asks a server ten times, each time after the answer before; fails if one does not come.
     *
     * @param localPort the client's port, or 0 for any
     */
    public static void ask(NetNamespace from, String local, int localPort, String server, int port) throws IOException {
        InetSocketAddress remote = new InetSocketAddress(InetAddress.getByName(server), port);
        try (DatagramSocket client = bind(from, local, localPort)) {
            for (int i = 0; i < QUESTION_COUNT; i++) {
                client.send(new DatagramPacket(new byte[] {(byte) i}, 1, remote));
                DatagramPacket answer = new DatagramPacket(new byte[64], 64);
                client.receive(answer);
                if (answer.getLength() != 1
                        || answer.getData()[0] != i
                        || !answer.getSocketAddress().equals(remote)) {
                    throw new IOException("question " + i + " got another answer from " + answer.getSocketAddress());
                }
            }
        }
    }

    /** Its port is free from then on: a thread that still receives keeps it bound. */
    @Override
    public void close() {
        socket.close();
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
