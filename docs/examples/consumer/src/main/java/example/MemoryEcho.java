package example;

import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * Two transports on a link in memory, and a question that comes back. Given an interface's name, it opens that instead,
 * and says what it got.
 */
public final class MemoryEcho {
    private static final int PORT = 4720;

    private MemoryEcho() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length > 0) {
            try (Transport transport = Transport.open(arguments[0])) {
                System.out.println("opened " + transport.portInfo());
            }
            return;
        }
        FramePool left = new FramePool(2048, 2048);
        FramePool right = new FramePool(2048, 2048);
        List<NetInterface> pair = MemoryNetwork.pair(left, right, 1500, 10_000_000_000L);
        try (Transport client = Transport.open(pair.get(0), left, TransportConfig.DEFAULT);
                Transport server = Transport.open(pair.get(1), right, TransportConfig.DEFAULT);
                WeirServerSocket listener = server.listen(PORT);
                WeirSocket asking = client.connect(new InetSocketAddress("10.0.0.2", PORT), Duration.ofSeconds(60));
                WeirSocket answering = listener.accept()) {
            asking.write(ByteBuffer.wrap("anybody there?".getBytes(StandardCharsets.UTF_8)));
            asking.shutdownOutput();
            answering.write(ByteBuffer.wrap(answering.inputStream().readAllBytes()));
            answering.shutdownOutput();
            String answer = new String(asking.inputStream().readAllBytes(), StandardCharsets.UTF_8);
            System.out.println("echo: " + answer);
        }
    }
}
