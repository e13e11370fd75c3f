package io.weir.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/** Virtual threads that wait for bytes, many more than there are threads to carry them. */
public final class VirtualThreadProgram {
    private static final int PAIRS = 40;
    private static final String PINNED = "jdk.VirtualThreadPinned";

    private final CountDownLatch begun = new CountDownLatch(2 * PAIRS);
    private final List<FutureTask<Integer>> echoes = new ArrayList<>();

    private VirtualThreadProgram() {}

    /** Echoes a byte by each of many virtual threads, and tells which of them held their carriers meanwhile. */
    public static void main(String[] arguments) throws Exception {
        Recording recording = new Recording();
        recording.enable(PINNED).withThreshold(Duration.ZERO);
        recording.start();
        new VirtualThreadProgram().run();
        Path file = Files.createTempFile("weir-agent", ".jfr");
        recording.dump(file);
        recording.close();
        long pinned = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(PINNED))
                .count();
        Files.delete(file);
        System.out.println("echoed, pinned=" + pinned + " " + Ways.latest());
        System.exit(0);
    }

    /** The program is compiled for 17. */
    private static <T> FutureTask<T> startVirtual(Callable<T> work) throws ReflectiveOperationException {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        return task;
    }

    private void run() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        List<SocketChannel> channels = new ArrayList<>();
        InetSocketAddress local = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (ServerSocket listener = new ServerSocket();
                ServerSocketChannel channel = ServerSocketChannel.open().bind(local)) {
            listener.bind(local);
            for (int i = 0; i < PAIRS; i++) {
                sockets.add(new Socket(local.getAddress(), listener.getLocalPort()));
                Socket accepted = listener.accept();
                echoes.add(startVirtual(() -> echo(accepted)));
                channels.add(SocketChannel.open(channel.getLocalAddress()));
                SocketChannel acceptedChannel = channel.accept();
                echoes.add(startVirtual(() -> echo(acceptedChannel)));
            }
        }
        begun.await();
        // While all of those wait, another one runs.
        startVirtual(() -> 1).get();
        for (int i = PAIRS - 1; i >= 0; i--) {
            sockets.get(i).getOutputStream().write(i);
            channels.get(i).write(ByteBuffer.wrap(new byte[] {(byte) i}));
        }
        for (int i = 0; i < PAIRS; i++) {
            ByteBuffer one = ByteBuffer.allocate(1);
            require(sockets.get(i).getInputStream().read() == i);
            require(channels.get(i).read(one) == 1 && one.get(0) == i);
        }
        for (FutureTask<Integer> echo : echoes) {
            require(echo.get() == 1);
        }
    }

    private int echo(Socket socket) throws IOException {
        begun.countDown();
        socket.getOutputStream().write(socket.getInputStream().read());
        return 1;
    }

    private int echo(SocketChannel channel) throws IOException {
        begun.countDown();
        ByteBuffer one = ByteBuffer.allocate(1);
        int count = channel.read(one);
        channel.write(one.flip());
        return count;
    }

    private static void require(boolean isGood) {
        if (!isGood) {
            throw new IllegalStateException("another byte came back than was sent");
        }
    }
}
