package io.weir.interop;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes connections from Weir and makes one over the kernel's TCP for each, to a server of this host. Bytes and their
 * ends go through as they come; where one side fails, both are reset.
 */
final class Relay implements Closeable {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final ServerSocket listener;
    private final InetSocketAddress server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** Relays from {@code listener}, which it closes, to a port of this host. */
    Relay(ServerSocket listener, int serverPort) {
        this.listener = listener;
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort);
        start("relay-accept", this::acceptAll);
    }

    int port() {
        return listener.getLocalPort();
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                Socket weir = listener.accept();
                open.add(weir);
                start("relay", () -> relay(weir));
            } catch (IOException e) {
                // The listener is closed.
            }
        }
    }

    private void relay(Socket weir) {
        Socket tcp = new Socket();
        open.add(tcp);
        try {
            tcp.connect(server);
            tcp.setTcpNoDelay(true);
        } catch (IOException e) {
            end(weir, tcp, true);
            return;
        }
        Thread back = new Thread(() -> pump(tcp, weir), "relay-back");
        back.setDaemon(true);
        back.start();
        pump(weir, tcp);
        try {
            back.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        end(weir, tcp, false);
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                out.write(buffer, 0, count);
            }
            to.shutdownOutput();
        } catch (IOException e) {
            end(from, to, true);
        }
    }

    private void end(Socket one, Socket other, boolean isReset) {
        for (Socket socket : new Socket[] {one, other}) {
            open.remove(socket);
            try {
                if (isReset) {
                    socket.setSoLinger(true, 0);
                }
                socket.close();
            } catch (IOException e) {
                // It is closed already.
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
