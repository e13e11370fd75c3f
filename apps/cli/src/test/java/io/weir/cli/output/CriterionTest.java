package io.weir.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.cli.environment.Fingerprint;
import io.weir.cli.testing.Documents;
import io.weir.cli.testing.PublishedSchema;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests what a result promises, and the documents that say so. */
class CriterionTest {
    @Test
    void factories_atTheLimit_areMet() {
        assertTrue(Criterion.atLeast("a", 1, 1, "").met());
        assertFalse(Criterion.atLeast("a", 0.9, 1, "").met());
        assertTrue(Criterion.atMost("a", 1, 1, "").met());
        assertFalse(Criterion.atMost("a", 1.1, 1, "").met());
        assertTrue(Criterion.equal("a", 5L, 5L, "").met());
        assertFalse(Criterion.equal("a", 5L, 6L, "").met());
        assertFalse(Criterion.holds("a", false).met());
    }

    @Test
    void text_numbers_haveNoNeedlessFraction() {
        assertEquals(
                "met     drops: 3 frames (must be <= 4 frames)",
                Criterion.atMost("drops", 3, 4, "frames").text());
        assertEquals(
                "NOT MET share: 0.5 (must be >= 0.9)",
                Criterion.atLeast("share", 0.5, 0.9, "").text());
    }

    @Test
    void document_oneCriterionNotMet_isNotOk() {
        List<Criterion> criteria = List.of(Criterion.holds("one", true), Criterion.holds("two", false));
        ResultDocument document = ResultDocument.of("test", Fingerprint.take(), Map.of("a", 1), criteria);
        JsonNode json = Documents.valid(Json.line(document));
        assertFalse(json.path("ok").asBoolean(true));
        assertFalse(json.at("/criteria/1/met").asBoolean(true));
    }

    @Test
    void schema_fieldMissingOrWrong_isNoticed() {
        ResultDocument document = ResultDocument.of("test", Fingerprint.take(), Map.of(), List.of());
        for (String field : List.of("schema", "command", "environment", "result", "criteria", "ok")) {
            ObjectNode json = (ObjectNode) Documents.valid(Json.line(document));
            json.remove(field);
            assertThrows(AssertionError.class, () -> PublishedSchema.assertResult(json), "nobody missed " + field);
        }
        ObjectNode other = (ObjectNode) Documents.valid(Json.line(document));
        other.put("schema", "weir/2");
        assertThrows(AssertionError.class, () -> PublishedSchema.assertResult(other));
    }
}
