package io.weir.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.cli.environment.ExitCode;
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
        assertEquals(
                "NOT MET goodput: 85858907.22 bps (must be >= 100000000 bps)",
                Criterion.atLeast("goodput", 8.585890721604615E7, 1e8, "bps").text());
    }

    @Test
    void unless_aReason_isNeitherMetNorFailed() {
        Criterion criterion = Criterion.atLeast("share", 0.95, 0.9, "").unless("a loop was away");
        assertFalse(criterion.met());
        assertFalse(criterion.hasFailed());
        assertEquals("NOT JUDGED share: 0.95 (must be >= 0.9): a loop was away", criterion.text());
    }

    @Test
    void unless_noReason_isTheSame() {
        assertTrue(Criterion.atLeast("share", 0.95, 0.9, "").unless(null).met());
        assertTrue(Criterion.atLeast("share", 0.5, 0.9, "").unless(null).hasFailed());
    }

    @Test
    void exitCode_notJudged_isItsOwnUnlessSomethingFailed() {
        Criterion met = Criterion.holds("met", true);
        Criterion failed = Criterion.holds("failed", false);
        Criterion notJudged = new Criterion("unknown", null, "<=", 10, "", false).unless("nothing came");
        assertEquals(ExitCode.DONE, document(met).exitCode());
        assertEquals(ExitCode.NOT_JUDGED, document(met, notJudged).exitCode());
        assertEquals(ExitCode.FAILED, document(failed, notJudged).exitCode());
    }

    @Test
    void document_notJudged_isNotOkAndSaysWhy() {
        JsonNode json = Documents.valid(
                Json.line(document(new Criterion("a", null, "<=", 10, "", false).unless("nothing came"))));
        assertFalse(json.path("ok").asBoolean(true));
        assertTrue(json.at("/criteria/0/measured").isNull());
        assertFalse(json.at("/criteria/0/met").asBoolean(true));
        assertEquals("nothing came", json.at("/criteria/0/notJudged").asText());
        ((ObjectNode) json.at("/criteria/0")).put("met", true);
        assertThrows(AssertionError.class, () -> PublishedSchema.assertResult(json));
    }

    private static ResultDocument document(Criterion... criteria) {
        return ResultDocument.of("test", Fingerprint.take(), Map.of(), List.of(criteria));
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
