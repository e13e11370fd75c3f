package io.weir.cli.perf;

import io.weir.cli.traffic.FilePayload;
import io.weir.cli.traffic.PayloadCheck;
import io.weir.cli.traffic.PayloadMaker;
import io.weir.cli.traffic.SeededPayload;
import io.weir.transport.node.ConfigException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The streams of one end of a test, and what they read and write.
 *
 * @param all in their order
 * @param messages what they send, where it is a workload's messages, or null
 * @param files what is open for them
 */
record StreamSet(List<DataStream> all, MessageSource messages, List<Closeable> files) implements AutoCloseable {
    /**
     * {@return streams that have no connections yet}
     *
     * @param payloadSeed what senders make payload from, or null
     */
    static StreamSet of(
            Role role,
            TestSpec spec,
            SessionConfig config,
            Long payloadSeed,
            long linkRateBps,
            DataStream.Owner owner) {
        List<Closeable> files = new ArrayList<>();
        if (spec.kind() != Kind.BULK) {
            return answered(role, spec, config, linkRateBps, owner);
        }
        return new StreamSet(
                IntStream.range(0, spec.streamCount())
                        .mapToObj(i -> bulk(i, role, spec, config, payloadSeed, new Opened(files, owner)))
                        .toList(),
                null,
                files);
    }

    private static StreamSet answered(
            Role role, TestSpec spec, SessionConfig config, long linkRateBps, DataStream.Owner owner) {
        MessageSource messages = spec.kind() == Kind.WORKLOAD && role == Role.CLIENT
                ? new MessageSource(
                        config.sizes(), TestOptions.load(spec.details()) * linkRateBps, config.seed(), spec.parallel())
                : null;
        return new StreamSet(
                IntStream.range(0, spec.streamCount())
                        .mapToObj(i -> answered(i, role, spec, messages, owner))
                        .toList(),
                messages,
                List.of());
    }

    private static DataStream answered(
            int index, Role role, TestSpec spec, MessageSource messages, DataStream.Owner owner) {
        if (spec.kind() == Kind.WORKLOAD) {
            return messages != null ? new MessageStream(index, messages, owner) : new MessageSink(index, owner);
        }
        return role == Role.CLIENT ? new Requester(index, spec, owner) : new Responder(index, spec, owner);
    }

    /** What is open by now, and whose the streams are. */
    private record Opened(List<Closeable> files, DataStream.Owner owner) {}

    private static DataStream bulk(
            int index, Role role, TestSpec spec, SessionConfig config, Long payloadSeed, Opened opened) {
        boolean isSender = spec.isSender(role, index);
        Long seed = isSender ? payloadSeed : spec.verifySeed();
        PayloadMaker payload = seed == null ? null : new SeededPayload(seed, index);
        try {
            if (isSender) {
                if (config.file() != null) {
                    InputStream file = Files.newInputStream(config.file());
                    opened.files.add(file);
                    payload = new FilePayload(file);
                }
                return new BulkSender(index, spec, payload, opened.owner);
            }
            OutputStream file = config.file() == null ? null : Files.newOutputStream(config.file());
            if (file != null) {
                opened.files.add(file);
            }
            PayloadCheck check = seed == null ? null : new PayloadCheck(new SeededPayload(seed, index));
            return new BulkReceiver(index, check, file, opened.owner);
        } catch (IOException e) {
            throw new ConfigException(
                    "-F " + config.file() + " cannot be " + (isSender ? "read" : "written") + ": " + e
                            + "; name another file",
                    e);
        }
    }

    /** Closes the files; the streams have ended, or end now. */
    @Override
    public void close() {
        for (Closeable file : files) {
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
