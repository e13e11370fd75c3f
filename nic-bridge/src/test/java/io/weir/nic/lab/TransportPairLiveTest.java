package io.weir.nic.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.Deadline;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link TransportPair}. */
@LiveTest
class TransportPairLiveTest {
    private static final int PORT = 4720;

    private static void exchange(TransportPair pair) throws IOException {
        try (WeirServerSocket listener = pair.server().listen(PORT);
                WeirSocket near = pair.client().connect(pair.serverAddress(PORT), Deadline.HANG_GUARD);
                WeirSocket far = listener.accept()) {
            near.outputStream().write(42);
            assertEquals(42, far.inputStream().read());
        }
    }

    private static long ours() throws IOException {
        String prefix = "weir-" + ProcessHandle.current().pid() + "-";
        return NetNamespace.names().stream()
                .filter(name -> name.startsWith(prefix))
                .count();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void inMemory_ofOneLoopAndSeveral_movesBytes(int queueCount) throws IOException {
        TransportConfig config =
                TransportConfig.builder().queueCount(queueCount).build();
        try (TransportPair pair = TransportPair.inMemory(config)) {
            assertEquals(queueCount, pair.client().loops().size());
            exchange(pair);
        }
    }

    @Test
    void inMemory_largeMtu_isThatOfThePort() throws IOException {
        try (TransportPair pair = TransportPair.inMemory(TransportConfig.DEFAULT, 9_000)) {
            assertEquals(9_000, pair.client().portInfo().mtuBytes());
            exchange(pair);
        }
    }

    @Test
    void overAfXdp_closed_leavesNoNamespace() throws IOException {
        try (TransportPair pair = TransportPair.overAfXdp(TransportConfig.DEFAULT)) {
            assertEquals(2, ours());
            exchange(pair);
        }
        assertEquals(0, ours());
    }
}
