package io.weir.nic.platform;

import io.weir.nic.testing.Deadline;
import io.weir.transport.runtime.Backend;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Transfers over the sockets of two transports, and over the kernel's next to them. */
final class TrialSockets implements AutoCloseable {
    private static final int PORT = 4720;
    private static final int TCP_PORT = 4721;
    private static final int BYTES = 200_000;
    private static final int BYTES_AFTER_A_CHANGE = 50_000;
    private static final String MTU_LOWERED = "1280";

    private final TrialLink link;
    private final Transport client;
    private final Transport server;

    TrialSockets(TrialLink link, Backend.Opened a, Backend.Opened b) throws IOException {
        this.link = link;
        this.client = Transport.open(List.of(a), TransportConfig.DEFAULT);
        this.server = Transport.open(List.of(b), TransportConfig.DEFAULT);
    }

    /** {@return what was transferred} */
    String transfer() throws Exception {
        return transfer(BYTES);
    }

    private String transfer(int count) throws Exception {
        byte[] bytes = randomBytes(count);
        try (WeirServerSocket listener = server.listen(PORT)) {
            CompletableFuture<byte[]> received = Background.run(() -> {
                try (WeirSocket socket = listener.accept()) {
                    return socket.inputStream().readAllBytes();
                }
            });
            try (WeirSocket socket = client.connect(link.b().socketAddress(PORT), Deadline.HANG_GUARD)) {
                socket.write(ByteBuffer.wrap(bytes));
                socket.shutdownOutput();
                return compare(bytes, received.get());
            }
        }
    }

    /** {@return the kernel's answers, which Weir's port must leave to it} */
    String ping() throws Exception {
        String output = link.a()
                .run("ping", "-n", "-c", "3", "-i", "0.2", "-W", "30", link.b().address());
        return output.lines()
                .filter(line -> line.contains("packets transmitted"))
                .findFirst()
                .orElse(output);
    }

    /** {@return what was transferred by the kernel's TCP, while Weir transferred too} */
    String kernelTcp() throws Exception {
        byte[] bytes = randomBytes(BYTES);
        try (ServerSocket listener = link.b().namespace().call(this::listen)) {
            CompletableFuture<byte[]> received = Background.run(() -> {
                try (Socket socket = listener.accept()) {
                    return socket.getInputStream().readAllBytes();
                }
            });
            CompletableFuture<String> ours = Background.run(() -> transfer(BYTES_AFTER_A_CHANGE));
            try (Socket socket =
                    link.a().namespace().call(() -> new Socket(link.b().address(), TCP_PORT))) {
                socket.getOutputStream().write(bytes);
                socket.shutdownOutput();
                String all = compare(bytes, received.get());
                return all + " by TCP, " + ours.get() + " by Weir";
            }
        }
    }

    private ServerSocket listen() throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.bind(link.b().socketAddress(TCP_PORT));
        return listener;
    }

    /** {@return what was transferred after the link had been down} */
    String linkDownAndUp() throws Exception {
        link.b().setLink("down");
        link.b().setLink("up");
        awaitCarrier();
        return transfer(BYTES_AFTER_A_CHANGE);
    }

    /** {@return what was transferred after the MTU was lowered, and after it was raised} */
    String mtuLoweredAndRaised() throws Exception {
        String before = Integer.toString(link.a().facts().mtuBytes());
        try {
            setMtu(MTU_LOWERED);
            String lowered = transfer(BYTES_AFTER_A_CHANGE);
            setMtu(before);
            return lowered + " at " + MTU_LOWERED + ", " + transfer(BYTES_AFTER_A_CHANGE) + " at " + before;
        } finally {
            // For the trials that follow.
            setMtu(before);
        }
    }

    private void setMtu(String mtuBytes) throws Exception {
        link.a().setLink("mtu", mtuBytes);
        link.b().setLink("mtu", mtuBytes);
        awaitCarrier();
    }

    /** Some drivers reset their device for a new MTU, and the link is gone for seconds. */
    private void awaitCarrier() throws Exception {
        Deadline.await(
                "a carrier at both ends",
                () -> link.a().facts().running() && link.b().facts().running());
    }

    private static byte[] randomBytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }

    private static String compare(byte[] sent, byte[] received) throws IOException {
        int at = Arrays.mismatch(sent, received);
        if (at >= 0) {
            throw new IOException(
                    "of " + sent.length + " bytes " + received.length + " arrived, and byte " + at + " differs");
        }
        return sent.length + " bytes";
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
