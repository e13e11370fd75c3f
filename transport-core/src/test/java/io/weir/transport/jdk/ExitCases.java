package io.weir.transport.jdk;

import io.weir.transport.jdk.SocketKind.Ends;
import io.weir.transport.testing.CallLog;
import io.weir.transport.testing.ParityCase;
import io.weir.transport.testing.SmallJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.util.List;

/** Sequences in a process that ends: {@link System#exit} in the middle of a call, and what a shutdown hook finds. */
final class ExitCases {
    private ExitCases() {}

    static List<ParityCase<SocketKind>> all() {
        return List.of(
                ParityCase.of(
                        "exit in the stream that is copied to, use in a hook", (kind, log) -> play("use", kind, log)),
                ParityCase.of("exit while others wait, close in a hook", (kind, log) -> play("close", kind, log)));
    }

    /** Plays it in a separate process, which ends by it. */
    private static void play(String hook, SocketKind kind, CallLog log) throws Exception {
        String name = kind.sockets() instanceof WeirSocketFactory ? "weir" : "kernel";
        String output = SmallJvm.run("-Xmx256m", Exiting.class, name, hook);
        output.lines().filter(line -> line.startsWith("told ")).forEach(log::add);
    }

    /** Exits while it copies, with a hook that uses or closes the sockets. */
    public static final class Exiting {
        private Exiting() {}

        public static void main(String[] arguments) throws Exception {
            SocketKind kind = arguments[0].equals("weir") ? SocketKind.ofWeir() : SocketKind.ofTheKernel();
            Ends ends = kind.connect();
            Ends waiting = kind.connect();
            Threads.start(() -> waiting.near().getInputStream().read());
            Thread acceptor = Threads.start(waiting.server()::accept).thread();
            CallLog log = new CallLog();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                if (arguments[1].equals("use")) {
                    use(kind, ends, log);
                } else {
                    close(kind, waiting, acceptor, log);
                }
                log.outcomes().forEach((call, outcome) -> System.out.println("told " + call + ": " + outcome));
            }));
            ends.near().getOutputStream().write(1);
            ends.far().getInputStream().transferTo(new OutputStream() {
                @Override
                public void write(int octet) {
                    System.exit(0);
                }
            });
        }

        private static void use(SocketKind kind, Ends ends, CallLog log) {
            log.run("write", () -> ends.far().getOutputStream().write(7));
            log.tell("read", () -> ends.near().getInputStream().read());
            log.run("half-close", ends.far()::shutdownOutput);
            log.tell("end", () -> ends.near().getInputStream().read());
            log.run("connect", () -> kind.sockets()
                    .createSocket(kind.serverAddress(), ends.server().getLocalPort())
                    .close());
        }

        private static void close(SocketKind kind, Ends waiting, Thread acceptor, CallLog log) {
            int port = waiting.server().getLocalPort();
            log.run("close of the listener", waiting.server()::close);
            log.run("listen", () -> {
                // The kernel has the port for as long as a thread is still within its accept.
                acceptor.join();
                try (ServerSocket again = kind.listen(port)) {
                    requireBound(again);
                }
            });
            log.run("close", waiting.near()::close);
            log.tell("end there", () -> waiting.far().getInputStream().read());
            log.run("close of all", kind::close);
        }

        private static void requireBound(ServerSocket listener) throws IOException {
            if (!listener.isBound()) {
                throw new IOException("not bound");
            }
        }
    }
}
