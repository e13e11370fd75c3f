package io.weir.cli.doctor;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the kernel's pressure files, which tell how much of the time threads waited for something. */
final class Pressure {
    private static final Pattern SOME = Pattern.compile("some avg10=(\\d{1,3}\\.\\d{2}) .*");

    private Pressure() {}

    /** {@return in how many percent of the last ten seconds some thread waited; 0 where the kernel does not tell} */
    static double percent(String text) {
        Matcher some = SOME.matcher(text.lines().findFirst().orElse(""));
        return some.matches() ? Double.parseDouble(some.group(1)) : 0;
    }
}
