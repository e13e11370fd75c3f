package io.weir.cli.doctor;

import io.weir.cli.doctor.FirewallRule.Condition;
import io.weir.cli.doctor.FirewallRule.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads what iptables-save(8) prints, as far as it is about what comes in. */
final class IptablesRules {
    private static final Set<String> BEGINS =
            Set.of("raw PREROUTING", "mangle PREROUTING", "mangle INPUT", "filter INPUT");
    private static final int IPV4 = 4;
    private static final int IPV6 = 6;

    private final String tool;
    /** By table and name, in the order of the text. */
    private final Map<String, FirewallChain> chains = new LinkedHashMap<>();

    private IptablesRules(String tool) {
        this.tool = tool;
    }

    /** {@return the chains; none of a text that is not the tool's} */
    static List<FirewallChain> parse(String tool, String text) {
        IptablesRules rules = new IptablesRules(tool);
        String table = "";
        for (String line : text.lines().toList()) {
            if (line.startsWith("*")) {
                table = line.substring(1).strip();
            } else if (line.startsWith(":")) {
                rules.addChain(table, line.substring(1).split(" "));
            } else if (line.startsWith("-A ")) {
                rules.addRule(table, words(line));
            }
        }
        return List.copyOf(rules.chains.values());
    }

    private void addChain(String table, String[] words) {
        String key = table + " " + words[0];
        String policy = words.length > 1 && !words[1].equals("-") ? words[1].toLowerCase(Locale.ROOT) : "";
        chains.put(
                key,
                new FirewallChain(
                        tool + " " + table,
                        words[0],
                        policy,
                        BEGINS.contains(key),
                        List.of(tool.equals("iptables") ? IPV4 : IPV6),
                        List.of()));
    }

    private void addRule(String table, List<String> words) {
        FirewallChain chain = words.size() < 2 ? null : chains.get(table + " " + words.get(1));
        if (chain == null) {
            return;
        }
        List<FirewallRule> rules = new ArrayList<>(chain.rules());
        rules.add(rule(words.subList(2, words.size())));
        chains.put(
                table + " " + chain.chain(),
                new FirewallChain(
                        chain.table(), chain.chain(), chain.policy(), chain.isBegin(), chain.versions(), rules));
    }

    private static FirewallRule rule(List<String> words) {
        List<Condition> conditions = new ArrayList<>();
        String action = "";
        boolean isNegated = false;
        for (int i = 0; i < words.size(); i++) {
            String value = i + 1 < words.size() ? words.get(i + 1) : "";
            switch (words.get(i)) {
                case "!" -> {
                    isNegated = true;
                    continue;
                }
                case "-j", "-g" -> {
                    action = action(value);
                    // What follows is about the action.
                    i = words.size();
                }
                case "-p" -> {
                    conditions.add(protocol(value, isNegated));
                    i++;
                }
                case "-i" -> {
                    conditions.add(new Condition(Field.INTERFACE, Set.of(value), isNegated));
                    i++;
                }
                case "--ctstate", "--state" -> {
                    Set<String> states =
                            Set.copyOf(List.of(value.toLowerCase(Locale.ROOT).split(",", -1)));
                    conditions.add(new Condition(Field.STATE, states, isNegated));
                    i++;
                }
                // Names of parts whose conditions follow, and remarks.
                case "-m", "--comment" -> i++;
                default -> {
                    conditions.add(Condition.unknown());
                    i += value.startsWith("-") || value.equals("!") ? 0 : 1;
                }
            }
            isNegated = false;
        }
        return new FirewallRule(conditions, action);
    }

    private static Condition protocol(String name, boolean isNegated) {
        return name.equals("all")
                ? new Condition(Field.PROTOCOL, Set.of(), true)
                : new Condition(Field.PROTOCOL, Set.of(name), isNegated);
    }

    /** Targets in capitals are built in; those that decide nothing let the frame go on. */
    private static String action(String target) {
        return switch (target) {
            case "ACCEPT", "DROP", "REJECT", "RETURN" -> target.toLowerCase(Locale.ROOT);
            case "LOG", "NFLOG", "MARK", "CONNMARK", "CT", "NOTRACK", "TRACE", "SET" -> "";
            default -> target;
        };
    }

    /** {@return the words of a line, in which quotes keep one together} */
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < line.length(); i++) {
            char sign = line.charAt(i);
            if (sign == '"') {
                isQuoted = !isQuoted;
            } else if (sign == ' ' && !isQuoted) {
                words.add(word.toString());
                word.setLength(0);
            } else {
                word.append(sign);
            }
        }
        words.add(word.toString());
        return words;
    }
}
