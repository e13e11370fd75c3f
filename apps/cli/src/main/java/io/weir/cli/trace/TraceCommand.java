package io.weir.cli.trace;

import io.weir.cli.environment.EnvironmentException;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.environment.StopRequest;
import io.weir.cli.unit.Durations;
import io.weir.transport.node.ConfigException;
import io.weir.transport.observation.CounterFolder;
import io.weir.transport.observation.CounterReading;
import io.weir.transport.observation.TraceArchive;
import io.weir.transport.observation.TraceCapture;
import io.weir.transport.observation.TraceFilter;
import io.weir.transport.observation.TraceReader;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the frames of a running transport. */
@Command(
        name = "trace",
        description = {
            "Show the frames that a transport of this machine sends and receives: live, or the latest that there were.",
            "It reads headers that each transport keeps of its latest frames; to look costs the transport nothing."
        })
public final class TraceCommand implements Callable<Integer> {
    private static final String STANDARD_OUTPUT = "-";
    /** A ring of 4,096 frames lasts four times as long at a million frames per second. */
    private static final long LOOK_NANOS = 1_000_000;
    /** After so many looks that found nothing it looks whether the transport is still there. */
    private static final int LOOKS_UNTIL_CHECK = 100;

    private static final int OUTPUT_BYTES = 1 << 16;

    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "PID|INTERFACE",
            description = "The process or interface of the transport; may be left out if there is one alone.")
    private String wanted;

    @Option(
            names = {"-w", "--write"},
            paramLabel = "FILE",
            description = "Write pcapng to this file, or for - to standard output, in place of text.")
    private String file;

    @Option(names = "--last", description = "The latest frames that there were until now, and no others.")
    private boolean isLast;

    @Mixin
    private TraceFilterOptions filter = new TraceFilterOptions();

    @Option(names = "--count", paramLabel = "N", description = "End after so many frames.")
    private Long count;

    @Option(
            names = {"-t", "--time"},
            paramLabel = "TIME",
            converter = Durations.SecondsConverter.class,
            description = "End after this time.")
    private Long timeNanos;

    @Option(
            names = "--hide",
            description = "Write zeros in place of tags, cookies and tokens: who knows them can forge frames.")
    private boolean isHiding;

    @Option(
            names = "--ended",
            description =
                    "List the captures that connections have left which ended by a time-out, a reset or with loss.")
    private boolean isEnded;

    @Option(
            names = "--dir",
            paramLabel = "FOLDER",
            description = "Where the transports' files are, if not in /dev/shm/weir: what they have as -Dweir.dir.")
    private Path folder;

    /** For picocli. */
    public TraceCommand() {}

    @Override
    public Integer call() throws IOException {
        requirePossible();
        if (isEnded) {
            return listEnded();
        }
        TracedTransport transport = TracedTransport.find(folder(), wanted);
        try (StopRequest stop = StopRequest.listen();
                TraceReader reader = open(transport)) {
            if (!isLast) {
                reader.skipToEnd();
            }
            return file == null ? print(transport, reader, stop) : capture(transport, reader, stop);
        }
    }

    private void requirePossible() {
        if (count != null && count < 1) {
            throw new ConfigException("--count: " + count + " is no number of frames; write 1 or more");
        }
        if (timeNanos != null && timeNanos == 0) {
            throw new ConfigException("--time: 0s is no time; write 1s or more, or --last");
        }
        if (isLast && timeNanos != null) {
            throw new ConfigException("--last ends at once; leave out --time");
        }
        if (isHiding && file == null) {
            throw new ConfigException("--hide: text has no tags; add -w FILE");
        }
    }

    private CounterFolder folder() {
        if (folder != null) {
            return new CounterFolder(folder);
        }
        CounterFolder named = CounterFolder.of(System::getProperty);
        return named == null ? new CounterFolder(CounterFolder.DEFAULT) : named;
    }

    private static TraceReader open(TracedTransport transport) {
        try {
            return TraceReader.open(transport.file());
        } catch (IOException e) {
            throw new EnvironmentException(e.getMessage(), e);
        }
    }

    private int listEnded() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Path user = folder().root().resolve(System.getProperty("user.name").replace('/', '_'));
        Path archives = TraceArchive.folderOf(user.resolve("counters"));
        List<Path> files = TraceArchive.list(archives);
        if (files.isEmpty()) {
            out.println("no connection has left a capture in " + archives);
        }
        files.forEach(out::println);
        out.flush();
        return ExitCode.DONE;
    }

    private int print(TracedTransport transport, TraceReader reader, StopRequest stop) throws IOException {
        try (TraceText text =
                new TraceText(reader, filter.filter(), spec.commandLine().getOut())) {
            follow(transport, reader, text, stop);
        }
        return ExitCode.DONE;
    }

    private int capture(TracedTransport transport, TraceReader reader, StopRequest stop) throws IOException {
        boolean isPipe = file.equals(STANDARD_OUTPUT);
        OutputStream target = isPipe ? new FileOutputStream(FileDescriptor.out) : create(Path.of(file));
        PipeOutput out = new PipeOutput(target);
        TraceFilter wantedFrames = filter.filter();
        try (TraceCapture capture = new TraceCapture(
                        reader,
                        new BufferedOutputStream(out, OUTPUT_BYTES),
                        transport.interfaceName(),
                        transport.counts().facts().backend() + " "
                                + transport.counts().facts().mode() + ", process "
                                + transport.counts().processId(),
                        wantedFrames::accepts,
                        isHiding);
                CaptureOutput output = new CaptureOutput(capture)) {
            follow(transport, reader, output, stop);
            PrintWriter err = spec.commandLine().getErr();
            err.println("weir: " + output.count() + " frames written, " + capture.dropped()
                    + " overwritten before they were read");
            err.flush();
        } catch (IOException e) {
            if (!isPipe || !out.isBroken()) {
                throw e;
            }
            // Who reads has ended.
        }
        return ExitCode.DONE;
    }

    /** {@return a file that others cannot read: who knows the tags in it can forge frames} */
    private static OutputStream create(Path path) throws IOException {
        return Channels.newOutputStream(Files.newByteChannel(
                path,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))));
    }

    /** Until it is asked to end, has as many frames or as much time as was asked for, or the transport is gone. */
    private void follow(TracedTransport transport, TraceReader reader, TraceOutput output, StopRequest stop)
            throws IOException {
        long startNanos = System.nanoTime();
        long countMax = count == null ? Long.MAX_VALUE : count;
        output.poll(countMax);
        if (isLast) {
            return;
        }
        boolean goesOn = true;
        int idleLooks = 0;
        while (goesOn && output.count() < countMax) {
            boolean isOver =
                    stop.await(LOOK_NANOS) || (timeNanos != null && System.nanoTime() - startNanos >= timeNanos);
            idleLooks = output.poll(countMax) > 0 ? 0 : idleLooks + 1;
            goesOn = !isOver;
            if (idleLooks > 0 && idleLooks % LOOKS_UNTIL_CHECK == 0) {
                output.onIdle();
                goesOn &= isAlive(transport, reader);
            }
        }
        output.poll(countMax);
    }

    private static boolean isAlive(TracedTransport transport, TraceReader reader) {
        return reader.isThere() && !CounterReading.of(transport.file()).isStale();
    }

    /** A capture as what this command writes. */
    private record CaptureOutput(TraceCapture capture) implements TraceOutput {
        @Override
        public int poll(long countMax) throws IOException {
            return capture.poll(countMax);
        }

        @Override
        public void onIdle() throws IOException {
            if (capture.hasNewDrops()) {
                capture.writeStatistics();
            }
        }

        @Override
        public long count() {
            return capture.count();
        }

        @Override
        public void close() {
            // The capture is closed by itself.
        }
    }
}
