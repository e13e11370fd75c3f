package io.weir.cli.output;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Why there is no result, as iperf3's JSON says it. */
public final class Iperf3Error {
    /** The name of the format, as {@code --format} has it. */
    public static final String FORMAT = "iperf3";

    /** The environment's variable that has every JSON be in this format. */
    public static final String VARIABLE = "WEIR_PERF_FORMAT";

    private static final List<String> OPTIONS = List.of("-f", "--format");

    private Iperf3Error() {}

    /** {@return whether the environment says that JSON is to be iperf3's} */
    public static boolean isUsual() {
        return FORMAT.equals(System.getenv(VARIABLE));
    }

    /** {@return whether arguments that were not understood ask for iperf3's JSON} */
    static boolean isAskedFor(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            boolean isValue = i > 0 && OPTIONS.contains(arguments.get(i - 1)) && argument.equals(FORMAT);
            if (isValue || argument.equals("--format=" + FORMAT) || argument.equals("-f" + FORMAT)) {
                return true;
            }
        }
        boolean isJson = arguments.stream().anyMatch(List.of("-J", "--json", "--json-stream")::contains);
        return isJson && isUsual() && arguments.contains("perf");
    }

    /** {@return the text of the field {@code error}} */
    public static String text(String problem) {
        return "error - " + problem;
    }

    /** {@return the document of a test that did not begin} */
    public static ObjectNode document(String problem) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.putObject("start").putArray("connected");
        document.putArray("intervals");
        document.putObject("end");
        return document.put("error", text(problem));
    }

    /** {@return the line of its stream} */
    public static ObjectNode event(String problem) {
        return JsonNodeFactory.instance.objectNode().put("event", "error").put("data", text(problem));
    }
}
