package io.weir.bench.compare.end;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Aeron: a media driver in each process (one in the server's for IPC) with one thread, and an application thread that
 * polls. Both back off as they do by default. Bulk messages are as long as fit one frame of Aeron's.
 */
final class AeronEnd {
    private static final int REQUESTS = 1001;
    private static final int RESPONSES = 1002;
    private static final int FRAGMENTS_MAX = 64;
    private static final long CONNECT_NANOS_MAX = TimeUnit.SECONDS.toNanos(15);

    private final EndSpec spec;
    private final EndOutput out;
    private final boolean isIpc;
    private final IdleStrategy idle = new BackoffIdleStrategy();
    /** Bytes of the answer that are still to come. */
    private int awaitedBytes;

    AeronEnd(EndSpec spec, EndOutput out, Carrier carrier) {
        this.spec = spec;
        this.out = out;
        this.isIpc = carrier == Carrier.AERON_IPC;
    }

    void run(String role, CountDownLatch stop) throws IOException, InterruptedException, TimeoutException {
        boolean isServer = role.equals("server");
        String folder = Path.of(spec.text(EndSpec.FOLDER), isIpc ? "ipc" : role).toString();
        MediaDriver driver = isIpc && !isServer ? null : MediaDriver.launch(driverContext(folder));
        try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(folder))) {
            if (isServer) {
                serve(aeron, stop);
            } else {
                use(aeron);
            }
        } finally {
            if (driver != null) {
                driver.close();
            }
        }
    }

    private static MediaDriver.Context driverContext(String folder) {
        return new MediaDriver.Context()
                .aeronDirectoryName(folder)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED);
    }

    private String channelTo(EndAddress end) {
        return isIpc ? "aeron:ipc" : "aeron:udp?endpoint=" + end.text + ":" + spec.port();
    }

    /** An end's address. */
    private record EndAddress(String text) {}

    private EndAddress local() {
        return new EndAddress(spec.text(EndSpec.LOCAL));
    }

    private EndAddress remote() {
        return new EndAddress(spec.text(EndSpec.REMOTE));
    }

    private void serve(Aeron aeron, CountDownLatch stop) throws InterruptedException {
        ArrivalCount arrivals = new ArrivalCount();
        arrivals.start();
        Subscription requests = aeron.addSubscription(channelTo(local()), REQUESTS);
        Publication responses =
                spec.task() == Task.ROUND_TRIPS ? aeron.addPublication(channelTo(remote()), RESPONSES) : null;
        UnsafeBuffer answer = new UnsafeBuffer(new byte[Math.max(1, spec.sizeBytes())]);
        // A message may come in several fragments; as many bytes as came go back.
        FragmentHandler handler = (buffer, offset, length, header) -> {
            arrivals.add(length);
            if (responses != null) {
                while (responses.offer(answer, 0, length) < 0 && stop.getCount() > 0) {
                    Thread.onSpinWait();
                }
            }
        };
        out.open();
        while (stop.getCount() > 0) {
            idle.idle(requests.poll(handler, FRAGMENTS_MAX));
        }
        arrivals.report(out);
    }

    private void use(Aeron aeron) throws InterruptedException, TimeoutException {
        Publication requests = aeron.addPublication(channelTo(remote()), REQUESTS);
        Subscription responses =
                spec.task() == Task.ROUND_TRIPS ? aeron.addSubscription(channelTo(local()), RESPONSES) : null;
        out.open();
        long deadlineNanos = System.nanoTime() + CONNECT_NANOS_MAX;
        while (!requests.isConnected() || (responses != null && !responses.isConnected())) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new TimeoutException("Aeron's publication was not connected within 15 s");
            }
            idle.idle();
        }
        idle.reset();
        ClientRun run = new ClientRun(spec, out);
        run.begin();
        switch (spec.task()) {
            case BULK -> bulk(requests, run);
            case ROUND_TRIPS -> roundTrips(requests, responses, run);
            case IDLE -> TimeUnit.NANOSECONDS.sleep(spec.warmNanos() + spec.windowNanos());
            default -> throw new IllegalArgumentException("Aeron has no connections that open and close like sockets");
        }
    }

    private void bulk(Publication requests, ClientRun run) {
        BufferClaim claim = new BufferClaim();
        int length = requests.maxPayloadLength();
        while (!run.isOver(System.nanoTime())) {
            if (requests.tryClaim(length, claim) > 0) {
                claim.commit();
                idle.reset();
            } else {
                idle.idle();
            }
        }
    }

    private void roundTrips(Publication requests, Subscription responses, ClientRun run) {
        RoundTripLog times = new RoundTripLog(run);
        UnsafeBuffer message = new UnsafeBuffer(new byte[spec.sizeBytes()]);
        FragmentHandler handler = (buffer, offset, length, header) -> awaitedBytes -= length;
        long sentNanos;
        long nowNanos;
        do {
            sentNanos = System.nanoTime();
            awaitedBytes = spec.sizeBytes();
            while (requests.offer(message) < 0) {
                idle.idle();
            }
            do {
                idle.idle(responses.poll(handler, FRAGMENTS_MAX));
                nowNanos = System.nanoTime();
            } while (awaitedBytes > 0 && !run.isOver(nowNanos));
        } while (times.note(sentNanos, nowNanos));
        times.report();
    }
}
