package io.weir.cli.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.doctor.FirewallRule.Condition;
import io.weir.cli.doctor.FirewallRule.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Reads what {@code nft -j list ruleset} prints, as far as it is about what comes in. */
final class NftRules {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Set<String> HOOKS = Set.of("prerouting", "input");
    private static final Set<String> TYPES_OF_IP = Set.of("ip", "ip6", "inet");
    /** Statements that decide nothing. */
    private static final Set<String> HARMLESS = Set.of("counter", "log", "limit", "mangle", "ct", "notrack", "quota");

    private static final Set<String> DECISIONS = Set.of("accept", "drop", "reject", "return");
    private static final int IPV4 = 4;
    private static final int IPV6 = 6;

    private NftRules() {}

    /** {@return the chains of IP's tables; none of a text that is not the tool's} */
    static List<FirewallChain> parse(String text) {
        List<FirewallChain> chains = new ArrayList<>();
        try {
            JsonNode objects = MAPPER.readTree(text).path("nftables");
            for (JsonNode object : objects) {
                JsonNode chain = object.path("chain");
                if (TYPES_OF_IP.contains(chain.path("family").asText())) {
                    chains.add(chain(chain, objects));
                }
            }
        } catch (JsonProcessingException e) {
            return List.of();
        }
        return chains;
    }

    private static FirewallChain chain(JsonNode chain, JsonNode objects) {
        String family = chain.path("family").asText();
        String table = chain.path("table").asText();
        String name = chain.path("name").asText();
        List<FirewallRule> rules = new ArrayList<>();
        for (JsonNode object : objects) {
            JsonNode rule = object.path("rule");
            if (rule.path("family").asText().equals(family)
                    && rule.path("table").asText().equals(table)
                    && rule.path("chain").asText().equals(name)) {
                rules.add(rule(rule.path("expr")));
            }
        }
        return new FirewallChain(
                "nft " + family + " " + table,
                name,
                chain.path("policy").asText(),
                HOOKS.contains(chain.path("hook").asText())
                        && chain.path("type").asText().equals("filter"),
                family.equals("ip") ? List.of(IPV4) : family.equals("ip6") ? List.of(IPV6) : List.of(IPV4, IPV6),
                rules);
    }

    private static FirewallRule rule(JsonNode statements) {
        List<Condition> conditions = new ArrayList<>();
        String action = "";
        for (JsonNode statement : statements) {
            String kind =
                    statement.fieldNames().hasNext() ? statement.fieldNames().next() : "";
            if (kind.equals("match")) {
                conditions.add(condition(statement.path(kind)));
            } else if (DECISIONS.contains(kind)) {
                action = kind;
            } else if (kind.equals("jump") || kind.equals("goto")) {
                action = statement.path(kind).path("target").asText();
            } else if (!HARMLESS.contains(kind) || kind.equals("limit")) {
                conditions.add(Condition.unknown());
                // A map of verdicts, or what a newer tool has: it may accept.
                action = action.isEmpty() ? "accept" : action;
            }
        }
        return new FirewallRule(conditions, action);
    }

    private static Condition condition(JsonNode match) {
        JsonNode left = match.path("left");
        String operator = match.path("op").asText();
        boolean isNegated = operator.equals("!=");
        Set<String> values = values(match.path("right"));
        if (values.isEmpty() || !(isNegated || operator.equals("==") || operator.equals("in"))) {
            return Condition.unknown();
        }
        String meta = left.path("meta").path("key").asText();
        String payload = left.path("payload").path("protocol").asText();
        String field = left.path("payload").path("field").asText();
        if (meta.equals("l4proto")
                || (payload.equals("ip") && field.equals("protocol"))
                || (payload.equals("ip6") && field.equals("nexthdr"))) {
            return new Condition(Field.PROTOCOL, values, isNegated);
        }
        if (meta.equals("iifname") || meta.equals("iif")) {
            return new Condition(Field.INTERFACE, values, isNegated);
        }
        return left.path("ct").path("key").asText().equals("state")
                ? new Condition(Field.STATE, values, isNegated)
                : Condition.unknown();
    }

    /** {@return the values of the right side; none where it has others than plain ones} */
    private static Set<String> values(JsonNode right) {
        JsonNode list = right.has("set") ? right.path("set") : right;
        Set<String> values = new TreeSet<>();
        if (list.isValueNode()) {
            values.add(list.asText());
        }
        for (JsonNode value : list) {
            if (!value.isValueNode()) {
                return Set.of();
            }
            values.add(value.asText());
        }
        return values;
    }
}
