package io.weir.bench.compare.end;

import io.weir.nic.lab.TransportPair;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * One process of a comparison. Its standard input tells it when to end: the end of it. So no process outlives the one
 * that started it, however that ended.
 */
public final class EndProgram {
    private static final String MEMORY_SERVER = "10.0.0.2";
    /** A transport whose peers are gone takes its 5 s to drain and one more; the parent waits for 8. */
    private static final long CLOSE_SECONDS_MAX = 7;

    private final EndSpec spec;
    private final EndOutput out;
    private final CountDownLatch stop = new CountDownLatch(1);
    /** Opened when the program has done all, its transports closed. */
    private final CountDownLatch ended = new CountDownLatch(1);

    private EndProgram(EndSpec spec, EndOutput out) {
        this.spec = spec;
        this.out = out;
    }

    /** Does what the words of the form {@code name=value} say. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) {
        PrintStream stdout = System.out;
        // What libraries print must not come between the lines that the parent reads.
        System.setOut(System.err);
        EndOutput out = new EndOutput(stdout);
        int status = 0;
        try {
            EndProgram program = new EndProgram(EndSpec.parse(arguments), out);
            program.watchInput();
            program.run();
            program.ended.countDown();
            out.done();
        } catch (InterruptedException | IOException | TimeoutException | RuntimeException | LinkageError e) {
            e.printStackTrace();
            out.failed(e);
            status = 1;
        }
        // Loops, drivers and event loops have threads; the process has nothing left to do.
        Runtime.getRuntime().halt(status);
    }

    private void watchInput() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // What comes does not matter; that it ends does.
                        }
                    } catch (IOException e) {
                        // The same as its end.
                    }
                    stop.countDown();
                    haltUnlessEnded();
                },
                "compare-input");
        watch.setDaemon(true);
        watch.start();
    }

    /** A process that does not end by itself is ended: nobody waits for it. */
    private void haltUnlessEnded() {
        try {
            if (ended.await(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                // The main thread says the last words.
                return;
            }
            out.failed(new TimeoutException("it did not end within " + CLOSE_SECONDS_MAX + " s of being told to"));
        } catch (InterruptedException e) {
            // Ends all the sooner.
        }
        Runtime.getRuntime().halt(1);
    }

    private void run() throws IOException, InterruptedException, TimeoutException {
        String role = spec.text(EndSpec.ROLE);
        if (role.equals("spin")) {
            new Spinners(spec.count()).run(out, stop);
            return;
        }
        Carrier carrier = Carrier.valueOf(spec.text(EndSpec.CARRIER));
        switch (carrier) {
            case KERNEL_UDP -> new UdpEnd(spec, out).run(role, stop);
            case AERON_UDP, AERON_IPC -> new AeronEnd(spec, out, carrier).run(role, stop);
            case WEIR_GRPC, GRPC -> new GrpcEnd(spec, out, carrier).run(role, stop);
            case WEIR_MEMORY -> runInMemory();
            default -> {
                if (role.equals("server")) {
                    serve(pipes(carrier));
                } else {
                    use(pipes(carrier));
                }
            }
        }
    }

    private Pipes pipes(Carrier carrier) throws IOException {
        return switch (carrier) {
            case KERNEL_TCP ->
                spec.task() == Task.MANY || spec.task() == Task.CALLS || spec.task() == Task.DUPLEX
                        ? new SelectorPipes(spec.remote())
                        : new BlockingPipes(new KernelStreams(spec.remote()));
            case NETTY -> NettyPipes.overEpoll(spec.remote());
            case WEIR -> new WeirPipes(WeirTransports.open(spec), spec.remote());
            case WEIR_SOCKETS -> new BlockingPipes(new WeirStreams(WeirTransports.open(spec), spec.remote()));
            case WEIR_JDK_SOCKETS -> new BlockingPipes(JdkStreams.overWeir(WeirTransports.open(spec), spec.remote()));
            case JAVA_CHANNELS -> new SelectorPipes(spec.remote());
            case JAVA_SOCKETS -> new BlockingPipes(JdkStreams.ofTheRuntime(spec.remote()));
            case WEIR_NETTY -> NettyPipes.overWeir(WeirTransports.handlers(spec), spec.remote());
            default -> throw new IllegalArgumentException(carrier + " has no connections");
        };
    }

    private void serve(Pipes pipes) throws IOException, InterruptedException {
        try (pipes) {
            ArrivalCount arrivals = listen(pipes);
            out.open();
            stop.await();
            arrivals.report(out);
        }
    }

    private ArrivalCount listen(Pipes pipes) throws IOException {
        ArrivalCount arrivals = new ArrivalCount();
        Supplier<PipeUser> users = () -> new ServerUser(spec, arrivals);
        pipes.listen(spec.port(), users);
        arrivals.start();
        return arrivals;
    }

    private void use(Pipes pipes) throws IOException, InterruptedException, TimeoutException {
        try (pipes) {
            out.open();
            ClientRun run = new ClientRun(spec, out);
            if (spec.task() == Task.DUPLEX) {
                ArrivalCount arrivals = new ArrivalCount();
                arrivals.start();
                pipes.connect(new BulkUser(run, arrivals));
                run.await();
                arrivals.report(out);
            } else {
                start(run, pipes);
                run.await();
            }
        }
    }

    private static void start(ClientRun run, Pipes pipes) {
        switch (run.spec().task()) {
            case BULK -> pipes.connect(new BulkUser(run));
            case ROUND_TRIPS -> pipes.connect(new RoundTripUser(run));
            case CONNECTS -> new ConnectUsers(run, pipes).start();
            case DUPLEX -> throw new IllegalArgumentException("a stream each way takes two processes");
            case CALLS -> new CallUsers(run, pipes).start();
            case MANY -> new ManyUsers(run, pipes).start();
            case IDLE -> pipes.connect(new IdleUser(run));
        }
    }

    private void runInMemory() throws IOException, InterruptedException, TimeoutException {
        TransportPair ends = WeirTransports.openPair(spec);
        EndSpec toServer = spec.with(EndSpec.REMOTE, MEMORY_SERVER);
        try (Pipes client = new WeirPipes(ends.client(), toServer.remote());
                Pipes server = new WeirPipes(ends.server(), toServer.remote())) {
            ArrivalCount arrivals = listen(server);
            out.open();
            ClientRun run = new ClientRun(toServer, out);
            start(run, client);
            run.await();
            arrivals.report(out);
        }
    }
}
