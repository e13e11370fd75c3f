package io.weir.cli.perf.carrier;

import io.weir.cli.environment.Fingerprint;
import io.weir.transport.host.CloseReason;
import io.weir.transport.runtime.LoopTask;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One end of a measurement: what opens and takes connections, and what reports must say of it. */
public interface Endpoint extends AutoCloseable {
    /** {@return the name of the protocol that connections from here are to have} */
    String protocol();

    /** {@return the name of what it uses, for people} */
    String place();

    /** {@return addresses of this host that it serves; empty for all} */
    List<InetAddress> addresses();

    /**
     * Opens a connection.
     *
     * @param localPort the port to connect from, or 0 for any
     * @param isFirst whether it is to belong to the first loop, where tasks run that name no connection
     */
    void connect(InetSocketAddress remote, int localPort, boolean isFirst, LinkHandler handler) throws IOException;

    /**
     * Takes connections to a port.
     *
     * @return the port: of the kernel's where 0 asks for any
     */
    int listen(int port, LinkAcceptor acceptor) throws IOException;

    /**
     * Has the loop of a connection run a task, or the first loop where {@code link} is null.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the loop has ended
     */
    void execute(Link link, LoopTask task);

    /** Has the loop of a connection ask {@code work} in each cycle, without rest, until it says false. */
    void eachCycle(Link link, BooleanSupplier work);

    /** {@return the rate of the link, as this end takes it, in bits per second} */
    long linkRateBps();

    /** {@return what counts from now on} */
    LoopMeter meter();

    /** {@return what results depend on at this end, with the seed of the payload, or null without one} */
    Fingerprint fingerprint(Long seed);

    /** {@return frames for this end that were not taken, by their shape; any thread} */
    Map<String, Long> skippedFrames();

    /** Tells {@code listener} when the interface has ended, and nobody can be served any more; at once if it has. */
    void whenEnded(Consumer<CloseReason> listener);

    /** {@return why a loop ended by itself, or null} */
    Throwable failure();

    @Override
    void close();
}
