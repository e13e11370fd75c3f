package io.weir.bench.pauses;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Records how this machine makes loops pause, or tables what protocols make of hosts and switches that pause so. */
public final class PauseBenchmark {
    private static final String RECORD = "record";
    private static final String TABLE = "table";

    private PauseBenchmark() {}

    /** Does what the first argument says; the exit status is 2 when the command line is wrong. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
        List<String> words = List.of(arguments);
        String what = words.isEmpty() ? "" : words.get(0);
        List<String> options = words.subList(Math.min(1, words.size()), words.size());
        try {
            switch (what) {
                case RECORD -> record(RecordOptions.parse(options));
                case TABLE -> new PauseTable(TableOptions.parse(options)).print(System.out);
                default -> throw new IllegalArgumentException("say " + RECORD + " or " + TABLE);
            }
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(RecordOptions.USAGE);
            System.err.println(TableOptions.USAGE);
            System.exit(2);
        }
    }

    @SuppressWarnings("SystemOut")
    private static void record(RecordOptions options) throws IOException {
        PauseRecorder recorder = new PauseRecorder(options);
        recorder.run();
        if (options.out() == null) {
            System.out.print(recorder.toCsv());
        } else {
            Files.writeString(Path.of(options.out()), recorder.toCsv());
        }
    }
}
