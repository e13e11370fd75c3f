package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.pacer.SeededRandom;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.peers.Cubic;
import io.weir.transport.protocol.peers.NewReno;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link SpokenProtocols}. */
class SpokenProtocolsTest {
    private static final ProtocolId NEWRENO = NewReno.KIND.id();
    private static final ProtocolId CUBIC = Cubic.KIND.id();
    private static final int UNKNOWN_CODE = 15;

    private final SpokenProtocols protocols = new SpokenProtocols(List.of(
            Cubic.KIND.usual().newFactory(new SeededRandom(1)),
            NewReno.KIND.usual().newFactory(new SeededRandom(2))));

    @Test
    void choose_preferredIsSpoken_isThat() {
        assertEquals(NEWRENO, protocols.choose(NEWRENO.code(), NEWRENO.bit() | CUBIC.bit()));
    }

    @Test
    void choose_preferredIsNot_isTheHostsFirstOfThoseOffered() {
        assertEquals(CUBIC, protocols.choose(UNKNOWN_CODE, NEWRENO.bit() | CUBIC.bit()));
        assertEquals(NEWRENO, protocols.choose(UNKNOWN_CODE, NEWRENO.bit()));
    }

    @Test
    void choose_nothingInCommon_isNull() {
        assertNull(protocols.choose(UNKNOWN_CODE, 1 << UNKNOWN_CODE));
    }

    @Test
    void factoryOf_code_isTheOneThatSpeaksIt() {
        assertNotNull(protocols.factoryOf(NEWRENO.code()));
        assertNull(protocols.factoryOf(UNKNOWN_CODE));
        assertNull(protocols.spoken(UNKNOWN_CODE));
    }

    @Test
    void bits_all_areThoseOfBoth() {
        assertEquals(NEWRENO.bit() | CUBIC.bit(), protocols.bits());
        assertEquals(CUBIC, protocols.preferred());
    }

    @Test
    void constructor_none_isRefused() {
        assertThrows(ConfigException.class, () -> new SpokenProtocols(List.of()));
    }
}
