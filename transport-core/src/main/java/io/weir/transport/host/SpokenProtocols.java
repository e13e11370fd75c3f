package io.weir.transport.host;

import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.telemetry.Ledger;
import java.util.List;

/** The protocols that a host speaks, the one that it prefers first. */
final class SpokenProtocols {
    /** In the order of preference; an array, as openings go through it before the loop is compiled. */
    private final ProtocolFactory[] factories;
    /** All of them: bit n for code n. */
    private final int bits;

    SpokenProtocols(List<ProtocolFactory> factories) {
        if (factories.isEmpty()) {
            throw new ConfigException("a host needs at least one protocol");
        }
        this.factories = factories.toArray(ProtocolFactory[]::new);
        int all = 0;
        for (ProtocolFactory factory : this.factories) {
            all |= factory.id().bit();
        }
        bits = all;
    }

    /** {@return the one that the host prefers} */
    ProtocolId preferred() {
        return factories[0].id();
    }

    /**
     * {@return the protocol for an opening: the one it prefers if this host speaks it, or this host's first that it
     * speaks}
     */
    ProtocolId choose(int preferredCode, int offeredBits) {
        ProtocolId preferred = spoken(preferredCode);
        if (preferred != null) {
            return preferred;
        }
        for (ProtocolFactory factory : factories) {
            if ((offeredBits & factory.id().bit()) != 0) {
                return factory.id();
            }
        }
        return null;
    }

    /** {@return the protocol with this code, or null when this host does not speak it} */
    ProtocolId spoken(int code) {
        ProtocolFactory factory = factoryOf(code);
        return factory == null ? null : factory.id();
    }

    /** {@return what makes the halves of streams that speak it, or null when this host does not} */
    ProtocolFactory factoryOf(int code) {
        for (ProtocolFactory factory : factories) {
            if (factory.id().code() == code) {
                return factory;
            }
        }
        return null;
    }

    void addTo(Ledger ledger) {
        for (ProtocolFactory factory : factories) {
            factory.addTo(ledger);
        }
    }

    /** {@return all of them: bit n for code n} */
    int bits() {
        return bits;
    }
}
