package io.weir.cli.scenario;

import io.weir.transport.frame.Frame;
import io.weir.transport.observation.PcapngWriter;
import io.weir.transport.sim.SimLink;
import io.weir.transport.sim.SimPort;
import io.weir.transport.sim.SimTrace;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes every frame of a simulation, as it starts on a link, to a capture: an interface for each direction of each
 * link, times from 0 on. Frames have no payload.
 */
final class SimCapture implements SimTrace, AutoCloseable {
    private final PcapngWriter writer;
    /** The interfaces of the capture, by link. */
    private final Map<SimLink, Integer> interfaces = new HashMap<>();

    private SimCapture(PcapngWriter writer) {
        this.writer = writer;
    }

    /** {@return a capture in a file, which is replaced} */
    static SimCapture to(Path file) throws IOException {
        return new SimCapture(new PcapngWriter(new BufferedOutputStream(Files.newOutputStream(file))));
    }

    @Override
    public void onDeparture(SimLink link, Frame frame, long nowNanos) {
        try {
            Integer known = interfaces.get(link);
            int index = known == null ? add(link) : known;
            PcapngWriter.About about = new PcapngWriter.About(
                    index, nowNanos, frame.frameBytes(), PcapngWriter.Direction.OUTBOUND, 0, null);
            writer.frame(about, frame.buffer(), frame.offset(), frame.length());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int add(SimLink link) throws IOException {
        int index =
                writer.addInterface(name(link.from()), "link from " + name(link.from()) + " to " + name(link.to()), 0);
        interfaces.put(link, index);
        return index;
    }

    private static String name(SimPort port) {
        return port.node().name() + "." + port.index();
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
