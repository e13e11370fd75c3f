package io.weir.nic.platform;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a trial found: one line of JSON for each stage, printed as soon as the stage has ended. */
final class TrialReport {
    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\":\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final PrintStream out;

    TrialReport(PrintStream out) {
        this.out = out;
    }

    /**
     * One stage of the trial of one way over one link.
     *
     * @param link the link's name
     * @param way {@link TrialWay}'s name
     * @param stage what was tried
     * @param passed whether all of it held
     * @param words what is to be known about it: of a failure the reason
     */
    record Line(String link, String way, String stage, boolean passed, String words) {
        /** {@return the line as JSON} */
        String json() {
            StringBuilder text = new StringBuilder("{");
            append(text, "link", link).append(',');
            append(text, "way", way).append(',');
            append(text, "stage", stage).append(',');
            append(text, "passed", Boolean.toString(passed)).append(',');
            return append(text, "words", words).append('}').toString();
        }

        /** {@return what {@link #json} gave, or null where the text is something else} */
        static Line parse(String text) {
            if (!text.startsWith("{\"link\":")) {
                return null;
            }
            Map<String, String> fields = new LinkedHashMap<>();
            Matcher matcher = FIELD.matcher(text);
            while (matcher.find()) {
                fields.put(
                        matcher.group(1), matcher.group(2).replace("\\\"", "\"").replace("\\\\", "\\"));
            }
            return new Line(
                    fields.get("link"),
                    fields.get("way"),
                    fields.get("stage"),
                    Boolean.parseBoolean(fields.get("passed")),
                    fields.get("words"));
        }

        private static StringBuilder append(StringBuilder text, String name, String value) {
            String escaped = value.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\s+", " ");
            return text.append('"').append(name).append("\":\"").append(escaped).append('"');
        }
    }

    /** {@return whether one stage passed} It is run now, and gives what is to be known about it. */
    boolean run(TrialLink link, TrialWay way, String stage, Callable<String> work) {
        try {
            print(new Line(link.name(), way.name(), stage, true, work.call()));
            return true;
        } catch (Exception | AssertionError e) {
            // For those who look at the machine's output: the line has the message alone.
            e.printStackTrace();
            print(new Line(link.name(), way.name(), stage, false, String.valueOf(e.getMessage())));
            return false;
        }
    }

    private synchronized void print(Line line) {
        out.println(line.json());
        out.flush();
    }
}
