package io.weir.cli.perf;

import io.weir.transport.node.ConfigException;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;

/** Times as {@code strftime(3)} writes them, in English. */
final class Timestamps {
    /** As iperf3 writes them where nothing else is asked for. */
    static final String DEFAULT = "%c ";

    private static final String DATE_AND_TIME = "EEE MMM ppd HH:mm:ss yyyy";
    private static final Map<Character, String> PATTERNS = Map.ofEntries(
            Map.entry('a', "EEE"),
            Map.entry('A', "EEEE"),
            Map.entry('b', "MMM"),
            Map.entry('h', "MMM"),
            Map.entry('B', "MMMM"),
            Map.entry('c', DATE_AND_TIME),
            Map.entry('d', "dd"),
            Map.entry('D', "MM/dd/yy"),
            Map.entry('e', "ppd"),
            Map.entry('F', "yyyy-MM-dd"),
            Map.entry('H', "HH"),
            Map.entry('I', "hh"),
            Map.entry('j', "DDD"),
            Map.entry('m', "MM"),
            Map.entry('M', "mm"),
            Map.entry('p', "a"),
            Map.entry('R', "HH:mm"),
            Map.entry('S', "ss"),
            Map.entry('T', "HH:mm:ss"),
            Map.entry('x', "MM/dd/yy"),
            Map.entry('X', "HH:mm:ss"),
            Map.entry('y', "yy"),
            Map.entry('Y', "yyyy"),
            Map.entry('z', "xx"),
            Map.entry('Z', "zzz"));

    private final String format;

    /**
     * Prepares to write.
     *
     * @param format text with conversions such as {@code %H:%M}
     * @throws ConfigException if it has one that is not known here
     */
    Timestamps(String format) {
        this.format = format;
        print(ZonedDateTime.now(ZoneId.systemDefault()));
    }

    /** {@return the time} */
    String print(ZonedDateTime time) {
        StringBuilder text = new StringBuilder();
        boolean isConversion = false;
        for (int i = 0; i < format.length(); i++) {
            char letter = format.charAt(i);
            if (isConversion) {
                text.append(conversion(letter, time));
                isConversion = false;
            } else if (letter == '%') {
                isConversion = true;
            } else {
                text.append(letter);
            }
        }
        return text.append(isConversion ? "%" : "").toString();
    }

    private static String conversion(char letter, ZonedDateTime time) {
        return switch (letter) {
            case '%' -> "%";
            case 'n' -> "\n";
            case 't' -> "\t";
            case 's' -> Long.toString(time.toEpochSecond());
            default -> {
                String pattern = PATTERNS.get(letter);
                if (pattern == null) {
                    throw new ConfigException("--timestamps: %" + letter
                            + " is not known here; use those of strftime(3)" + " such as %F %T");
                }
                yield DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).format(time);
            }
        };
    }
}
