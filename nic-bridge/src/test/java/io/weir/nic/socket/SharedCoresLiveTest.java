package io.weir.nic.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.CpuSet;
import io.weir.transport.runtime.SchedulingConfig;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that loops and blocking application threads that share two cores all get on: every byte arrives, in order, at
 * whatever speed. Half of the application threads write, half of them read; all of them and both loops may use the
 * first two CPUs only.
 */
@LiveTest
class SharedCoresLiveTest {
    private static final int PORT = 4720;
    private static final int CORES = 2;
    private static final int WRITE_BYTES = 64 * 1024;
    private static final long BYTES_OF_ALL = 40_000_000;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private TwoHosts hosts;
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void create() throws IOException {
        hosts = TwoHosts.create();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : open) {
            resource.close();
        }
        hosts.close();
    }

    private Transport transport(NetNamespace namespace, SchedulingConfig scheduling) throws IOException {
        FramePool pool = new FramePool(8_192, 2_048);
        AfXdpConfig port =
                AfXdpConfig.host(TwoHosts.INTERFACE).namespace(namespace.name()).build();
        TransportConfig config =
                TransportConfig.builder().scheduling(scheduling).build();
        Transport transport = Transport.open(AfXdpInterface.open(port, pool), pool, config);
        open.add(transport);
        return transport;
    }

    @ParameterizedTest
    @CsvSource({"2, 0, 0", "10, 0, 0", "2, 1, 0", "10, 1, 0", "10, 0, 10"})
    void transfer_loopsAndBlockingThreadsOnTwoCores_everyByteArrivesInOrder(
            int applicationThreads, int realtimePriority, int compilerNice) throws Exception {
        SchedulingConfig scheduling = SchedulingConfig.DEFAULT
                .withCpus(CpuSet.parse("0-" + (CORES - 1)))
                .withRealtimePriority(realtimePriority)
                .withCompilerNice(compilerNice);
        Transport client = transport(hosts.a(), scheduling);
        Transport server = transport(hosts.b(), scheduling);
        int streamCount = applicationThreads / 2;
        List<CompletableFuture<Long>> ends = new ArrayList<>();
        try (WeirServerSocket listener = server.listen(PORT)) {
            for (int i = 0; i < streamCount; i++) {
                long seed = i + 1L;
                WeirSocket sender = client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), PATIENCE);
                WeirSocket receiver = listener.accept();
                long byteCount = BYTES_OF_ALL / streamCount;
                ends.add(CompletableFuture.supplyAsync(() -> write(sender, seed, byteCount), onTwoCores()));
                ends.add(CompletableFuture.supplyAsync(() -> read(receiver, seed), onTwoCores()));
            }
            for (CompletableFuture<Long> end : ends) {
                assertEquals(BYTES_OF_ALL / streamCount, end.get());
            }
        }
        assertNull(client.loop().failure());
        assertNull(server.loop().failure());
    }

    private static Executor onTwoCores() {
        return work -> {
            Thread thread = new Thread(
                    () -> {
                        UnsafeBuffer mask = NativeMemory.allocate(Long.BYTES);
                        mask.putLong(0, (1L << CORES) - 1);
                        Libc.setAffinity(mask);
                        work.run();
                    },
                    "application");
            thread.setDaemon(true);
            thread.start();
        };
    }

    /** The byte at an offset of the stream that was made from {@code seed}. */
    private static byte byteAt(long seed, long offset) {
        return (byte) ((offset * 0x9E37_79B9L + seed) >>> 13);
    }

    private static long write(WeirSocket socket, long seed, long byteCount) {
        ByteBuffer piece = ByteBuffer.allocateDirect(WRITE_BYTES);
        try (socket) {
            long offset = 0;
            while (offset < byteCount) {
                piece.clear().limit((int) Math.min(WRITE_BYTES, byteCount - offset));
                while (piece.hasRemaining()) {
                    piece.put(byteAt(seed, offset++));
                }
                piece.flip();
                while (piece.hasRemaining()) {
                    socket.write(piece);
                }
            }
            socket.shutdownOutput();
            return offset;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static long read(WeirSocket socket, long seed) {
        byte[] piece = new byte[WRITE_BYTES];
        try (socket;
                InputStream input = socket.inputStream()) {
            long offset = 0;
            for (int count = input.read(piece); count >= 0; count = input.read(piece)) {
                for (int i = 0; i < count; i++, offset++) {
                    if (piece[i] != byteAt(seed, offset)) {
                        throw new AssertionError("stream " + seed + " has a wrong byte at " + offset);
                    }
                }
            }
            return offset;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
