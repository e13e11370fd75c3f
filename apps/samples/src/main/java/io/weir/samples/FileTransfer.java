package io.weir.samples;

import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;

/** Sends a file, whose end is the end of the stream; the answer is the SHA-256 of what arrived. */
public final class FileTransfer {
    private static final int PORT = 4722;
    private static final int BUFFER_BYTES = 256 * 1024;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private FileTransfer() {}

    /** Runs the server until it is killed, or a client once. */
    public static void main(String[] args) throws IOException, GeneralSecurityException {
        if (args.length == 2 && args[0].equals("server")) {
            serve(args[1]);
        } else if (args.length == 4 && args[0].equals("client")) {
            send(args[1], args[2], Path.of(args[3]));
        } else {
            System.err.println("usage: FileTransfer server INTERFACE | FileTransfer client INTERFACE ADDRESS FILE");
            System.exit(2);
        }
    }

    private static void serve(String interfaceName) throws IOException {
        try (Transport transport = Transport.open(interfaceName);
                WeirServerSocket listener = transport.listen(PORT)) {
            System.out.println("listening on " + interfaceName + ", port " + PORT);
            while (true) {
                WeirSocket socket = listener.accept();
                new Thread(() -> receive(socket), "receive").start();
            }
        }
    }

    private static void receive(WeirSocket socket) {
        try (socket) {
            Path file = Files.createTempFile("weir-received-", "");
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            ByteBuffer bytes = ByteBuffer.allocateDirect(BUFFER_BYTES);
            try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
                while (socket.read(bytes) >= 0) {
                    digest.update(bytes.flip());
                    bytes.rewind();
                    while (bytes.hasRemaining()) {
                        out.write(bytes);
                    }
                    bytes.clear();
                }
            }
            byte[] hash = digest.digest();
            socket.write(ByteBuffer.wrap(hash));
            System.out.println("received SHA-256 " + HexFormat.of().formatHex(hash) + " " + file);
        } catch (IOException | GeneralSecurityException e) {
            System.err.println(socket.remoteAddress() + ": " + e.getMessage());
        }
    }

    private static void send(String interfaceName, String server, Path file)
            throws IOException, GeneralSecurityException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (FileChannel in = FileChannel.open(file);
                Transport transport = Transport.open(interfaceName);
                WeirSocket socket = transport.connect(new InetSocketAddress(server, PORT), TIMEOUT)) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(BUFFER_BYTES);
            while (in.read(bytes) >= 0) {
                digest.update(bytes.flip());
                socket.write(bytes.rewind());
                bytes.clear();
            }
            socket.shutdownOutput();
            byte[] hash = digest.digest();
            System.out.println("sent SHA-256 " + HexFormat.of().formatHex(hash) + " " + file);
            if (!MessageDigest.isEqual(hash, socket.inputStream().readAllBytes())) {
                throw new IOException("another SHA-256 than this has arrived at " + server);
            }
        }
    }
}
