package io.weir.transport.protocol.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.expresspass.ExpressPass;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests {@link Catalogue}: what a new line in it may not break. */
class CatalogueTest {
    @Test
    void kinds_codes_riseAndNoneIsTakenTwice() {
        int last = 0;
        for (ProtocolKind kind : Catalogue.KINDS) {
            assertTrue(kind.id().code() > last, kind + " has code " + kind.id().code() + " after " + last);
            last = kind.id().code();
        }
        assertTrue(last < ProtocolId.EXPERIMENT, "code " + last + " is for experiments");
    }

    @Test
    void presets_names_areUniqueOverAllProtocols() {
        List<String> names = new ArrayList<>();
        Catalogue.presets().forEach(preset -> names.add(preset.preset()));
        assertEquals(new HashSet<>(names).size(), names.size(), names.toString());
        Catalogue.KINDS.forEach(kind ->
                assertEquals(Optional.of(kind.usual()), Catalogue.find(kind.id().name())));
    }

    @Test
    void find_everyName_isThatPresetOrTheUsualOneOfThatProtocol() {
        for (ProtocolConfig preset : Catalogue.presets()) {
            assertEquals(Optional.of(preset), Catalogue.find(preset.preset()));
        }
        assertEquals("weir", Catalogue.find("expresspass").orElseThrow().preset());
        assertEquals(Optional.empty(), Catalogue.find("carrierpigeon"));
        Catalogue.names().forEach(name -> assertTrue(Catalogue.find(name).isPresent(), name));
    }

    @Test
    void forRealPorts_protocols_haveNothingAgainstThem() {
        List<ProtocolConfig> protocols = Catalogue.forRealPorts();
        assertEquals(ExpressPass.KIND.id(), protocols.get(0).id());
        for (ProtocolKind kind : Catalogue.KINDS) {
            assertEquals(kind.realPortObstacle().isEmpty(), protocols.contains(kind.usual()), kind.toString());
        }
        assertFalse(protocols.isEmpty());
    }
}
