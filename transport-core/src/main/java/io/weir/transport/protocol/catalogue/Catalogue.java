package io.weir.transport.protocol.catalogue;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.ccrp.Ccrp;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.protocol.expresspass.ExpressPassConfig;
import io.weir.transport.protocol.reactive.cubic.Cubic;
import io.weir.transport.protocol.reactive.dcqcn.Dcqcn;
import io.weir.transport.protocol.reactive.dctcp.Dctcp;
import io.weir.transport.protocol.reactive.dx.Dx;
import io.weir.transport.protocol.reactive.hull.Hull;
import io.weir.transport.protocol.reactive.ideal.Ideal;
import io.weir.transport.protocol.reactive.newreno.NewReno;
import io.weir.transport.protocol.reactive.rcp.Rcp;
import io.weir.transport.protocol.reactive.tfc.Tfc;
import io.weir.transport.protocol.reactive.timely.Timely;
import io.weir.transport.protocol.reactive.vegas.Vegas;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Every protocol of this build by the names that users give them. To add one, write its package and add its line to
 * {@link #KINDS}; docs/ADDING-A-PROTOCOL.md shows how.
 */
public final class Catalogue {
    /** Those beside ExpressPass, in the order of their codes on the wire. */
    public static final List<ProtocolKind> KINDS = List.of(
            Dx.KIND,
            Tfc.KIND,
            Ccrp.KIND,
            NewReno.KIND,
            Cubic.KIND,
            Vegas.KIND,
            Dctcp.KIND,
            Hull.KIND,
            Dcqcn.KIND,
            Timely.KIND,
            Rcp.KIND,
            Ideal.KIND);

    private Catalogue() {}

    /** {@return every preset of every protocol, those of ExpressPass and its usual one first} */
    public static List<ProtocolConfig> presets() {
        List<ProtocolConfig> presets = new ArrayList<>(List.of(
                ExpressPassConfig.weir(),
                ExpressPassConfig.paper(),
                ExpressPassConfig.authors(),
                ExpressPassConfig.naive()));
        KINDS.forEach(kind -> presets.addAll(kind.presets()));
        return presets;
    }

    /** {@return the words of all protocols} */
    public static List<String> words() {
        List<String> words = new ArrayList<>(List.of(ExpressPass.ID.word()));
        KINDS.forEach(kind -> words.add(kind.id().word()));
        return words;
    }

    /** {@return every name that {@link #find} knows: the words, and the presets that are called otherwise} */
    public static List<String> names() {
        List<String> names = words();
        presets().stream()
                .map(ProtocolConfig::preset)
                .filter(preset -> !names.contains(preset))
                .forEach(names::add);
        return names;
    }

    /** {@return the preset of this name, or the usual one of the protocol of this name} */
    public static Optional<ProtocolConfig> find(String name) {
        return presets().stream()
                .filter(preset ->
                        preset.preset().equals(name) || preset.id().word().equals(name))
                .findFirst();
    }

    /** {@return the usual preset of every protocol that can run on real ports, ExpressPass first} */
    public static List<ProtocolConfig> forRealPorts() {
        List<ProtocolConfig> protocols = new ArrayList<>(List.of(ExpressPassConfig.weir()));
        KINDS.stream().filter(kind -> kind.realPortObstacle().isEmpty()).forEach(kind -> protocols.add(kind.usual()));
        return protocols;
    }
}
