package io.weir.transport.runtime;

import io.weir.transport.node.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * CPUs of a machine by their numbers, written as the kernel and taskset(1) do: {@code 0,2-3}. Immutable.
 *
 * @param indexes the numbers in ascending order; none means whatever the process may use
 */
public record CpuSet(List<Integer> indexes) {
    /** The highest number: the kernel's masks here have 1,024 bits. */
    public static final int INDEX_MAX = 1_023;

    /** Whatever the process may use. */
    public static final CpuSet ANY = new CpuSet(List.of());

    private static final Pattern RANGE = Pattern.compile("(\\d{1,4})(?:-(\\d{1,4}))?");

    /** Sorts the numbers, and refuses those that no machine has. */
    public CpuSet {
        TreeSet<Integer> sorted = new TreeSet<>(indexes);
        if (!sorted.isEmpty() && (sorted.first() < 0 || sorted.last() > INDEX_MAX)) {
            throw new ConfigException(
                    "cpus=" + indexes + " is outside 0.." + INDEX_MAX + "; name CPUs of this machine");
        }
        indexes = List.copyOf(sorted);
    }

    /** {@return the CPUs of a list such as {@code 0,2-3}} An empty list is {@link #ANY}. */
    public static CpuSet parse(String list) {
        List<Integer> indexes = new ArrayList<>();
        if (list.isBlank()) {
            return ANY;
        }
        for (String part : list.strip().split(",", -1)) {
            Matcher range = RANGE.matcher(part.strip());
            if (!range.matches()) {
                throw refused(list, "\"" + part.strip() + "\" is neither a number nor a range of numbers");
            }
            int first = Integer.parseInt(range.group(1));
            int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
            if (last < first || last > INDEX_MAX) {
                throw refused(list, "\"" + part.strip() + "\" does not ascend within 0.." + INDEX_MAX);
            }
            for (int index = first; index <= last; index++) {
                indexes.add(index);
            }
        }
        return new CpuSet(indexes);
    }

    private static ConfigException refused(String list, String reason) {
        return new ConfigException("cpus=" + list + ": " + reason + "; write CPUs as in 0,2-3");
    }

    /** {@return whether it leaves the choice to the kernel} */
    public boolean isAny() {
        return indexes.isEmpty();
    }

    /** {@return the CPUs that are in both} */
    public CpuSet and(CpuSet other) {
        return new CpuSet(indexes.stream().filter(other.indexes::contains).toList());
    }

    /** {@return the list that {@link #parse} reads, with ranges where they are shorter; empty for {@link #ANY}} */
    @Override
    public String toString() {
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < indexes.size(); i++) {
            int first = indexes.get(i);
            int last = first;
            while (i + 1 < indexes.size() && indexes.get(i + 1) == last + 1) {
                last = indexes.get(++i);
            }
            list.append(list.length() == 0 ? "" : ",").append(first);
            if (last > first) {
                list.append('-').append(last);
            }
        }
        return list.toString();
    }
}
