package io.weir.nic.dpdk;

import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;

/** A process that sends back what it is sent over a DPDK device, connection after connection, until it is ended. */
public final class DpdkEcho {
    /** The port that it listens on. */
    static final int PORT = 4720;
    /** What it prints when it listens. */
    static final String READY = "listening";

    private DpdkEcho() {}

    /** Opens the device that the first argument describes, with as many loops as the second says, or one. */
    public static void main(String[] arguments) throws Exception {
        TransportConfig config = TransportConfig.builder()
                .backend(DpdkBackend.NAME)
                .queueCount(arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1)
                .build();
        try (Transport transport = Transport.open(arguments[0], config);
                WeirServerSocket listener = transport.listen(PORT)) {
            System.out.println(READY);
            while (true) {
                try (WeirSocket socket = listener.accept()) {
                    socket.inputStream().transferTo(socket.outputStream());
                    socket.shutdownOutput();
                    socket.inputStream().read();
                }
            }
        }
    }
}
