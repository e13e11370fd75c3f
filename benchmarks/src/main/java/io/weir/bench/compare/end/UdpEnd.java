package io.weir.bench.compare.end;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The kernel's UDP by connected, blocking channels. Nothing is retransmitted: a bulk run reports how much was lost. */
final class UdpEnd {
    /** What fills a frame of MTU 1500: the headers of IP and UDP take 28 B. */
    private static final int HEADER_BYTES = 28;

    private static final int MTU_BYTES = 1500;
    private static final int DATAGRAM_BYTES_MAX = 65_507;
    private static final int BUFFER_BYTES = 4 << 20;

    private final EndSpec spec;
    private final EndOutput out;

    UdpEnd(EndSpec spec, EndOutput out) {
        this.spec = spec;
        this.out = out;
    }

    void run(String role, CountDownLatch stop) throws IOException, InterruptedException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
            channel.bind(spec.local());
            channel.connect(spec.remote());
            out.open();
            if (role.equals("server")) {
                serve(channel, stop);
            } else {
                use(channel);
            }
        }
    }

    private void serve(DatagramChannel channel, CountDownLatch stop) throws IOException, InterruptedException {
        ArrivalCount arrivals = new ArrivalCount();
        arrivals.start();
        boolean echoes = spec.task() == Task.ROUND_TRIPS;
        Thread thread = new Thread(
                () -> {
                    ByteBuffer buffer = ByteBuffer.allocateDirect(DATAGRAM_BYTES_MAX);
                    try {
                        while (true) {
                            arrivals.add(channel.read(buffer.clear()));
                            if (echoes) {
                                channel.write(buffer.flip());
                            }
                        }
                    } catch (IOException e) {
                        // Closed: the run is over.
                    }
                },
                "compare-server");
        thread.setDaemon(true);
        thread.start();
        stop.await();
        arrivals.report(out);
    }

    private void use(DatagramChannel channel) throws IOException, InterruptedException {
        ClientRun run = new ClientRun(spec, out);
        switch (spec.task()) {
            case BULK -> bulk(channel, run);
            case ROUND_TRIPS -> roundTrips(channel, run);
            case IDLE -> {
                run.begin();
                TimeUnit.NANOSECONDS.sleep(spec.warmNanos() + spec.windowNanos());
            }
            default -> throw new IllegalArgumentException("UDP has no connections");
        }
    }

    private void bulk(DatagramChannel channel, ClientRun run) throws IOException {
        ByteBuffer datagram = ByteBuffer.allocateDirect((int) spec.number(EndSpec.MTU_BYTES, MTU_BYTES) - HEADER_BYTES);
        long sentBytes = 0;
        run.begin();
        long nowNanos = System.nanoTime();
        while (!run.isOver(nowNanos)) {
            int written = channel.write(datagram.clear());
            nowNanos = System.nanoTime();
            sentBytes += run.isCounting(nowNanos) ? written : 0;
        }
        out.value("sentBytes", (double) sentBytes);
    }

    private void roundTrips(DatagramChannel channel, ClientRun run) throws IOException {
        RoundTripLog times = new RoundTripLog(run);
        ByteBuffer message = ByteBuffer.allocateDirect(spec.sizeBytes());
        run.begin();
        long sentNanos;
        do {
            sentNanos = System.nanoTime();
            channel.write(message.clear());
            channel.read(message.clear());
        } while (times.note(sentNanos, System.nanoTime()));
        times.report();
    }
}
