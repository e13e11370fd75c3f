package io.weir.bench.latency;

import io.weir.nic.lab.TwoHosts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;

/** The kernel's UDP by connected channels and direct buffers: one thread a side, which blocks or spins. */
final class KernelUdpContender implements Contender {
    private final boolean spins;

    KernelUdpContender(boolean spins) {
        this.spins = spins;
    }

    @Override
    public String label() {
        return spins ? "kernel UDP, spinning" : "kernel UDP, blocking";
    }

    @Override
    public void run(TwoHosts hosts, PingPongOptions options, TripTimer trips) throws Exception {
        boolean pin = spins || options.pin();
        EndThread echo;
        try (DatagramChannel client = hosts.a().call(() -> open(PingPong.CLIENT));
                DatagramChannel server = hosts.b().call(() -> open(PingPong.SERVER))) {
            client.connect(PingPong.SERVER);
            server.connect(PingPong.CLIENT);
            echo = EndThread.start(
                    "ping-server",
                    pin ? EndThread.SERVER_CORE : EndThread.ANY_CORE,
                    () -> echo(server, options.sizeBytes()));
            EndThread ping = EndThread.start(
                    "ping-client",
                    pin ? EndThread.CLIENT_CORE : EndThread.ANY_CORE,
                    () -> ping(client, options.sizeBytes(), trips));
            trips.await();
            ping.join();
        }
        echo.join();
    }

    private DatagramChannel open(InetSocketAddress local) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        channel.bind(local);
        channel.configureBlocking(!spins);
        return channel;
    }

    private static void ping(DatagramChannel channel, int sizeBytes, TripTimer trips) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(sizeBytes);
        long sentNanos;
        do {
            sentNanos = trips.begin();
            message.clear();
            channel.write(message);
            receive(channel, message);
        } while (trips.end(sentNanos));
    }

    private static void echo(DatagramChannel channel, int sizeBytes) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(sizeBytes);
        try {
            while (true) {
                receive(channel, message);
                message.flip();
                channel.write(message);
            }
        } catch (ClosedChannelException e) {
            // The run is over.
        }
    }

    private static void receive(DatagramChannel channel, ByteBuffer message) throws IOException {
        message.clear();
        while (channel.read(message) == 0) {
            Thread.onSpinWait();
        }
    }
}
