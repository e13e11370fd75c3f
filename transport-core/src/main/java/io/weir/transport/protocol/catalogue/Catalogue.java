package io.weir.transport.protocol.catalogue;

import io.weir.transport.protocol.PortPart;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.ccrp.Ccrp;
import io.weir.transport.protocol.dx.Dx;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.protocol.peers.Cubic;
import io.weir.transport.protocol.peers.Dcqcn;
import io.weir.transport.protocol.peers.Dctcp;
import io.weir.transport.protocol.peers.Hull;
import io.weir.transport.protocol.peers.Ideal;
import io.weir.transport.protocol.peers.NewReno;
import io.weir.transport.protocol.peers.Rcp;
import io.weir.transport.protocol.peers.Timely;
import io.weir.transport.protocol.peers.Vegas;
import io.weir.transport.protocol.tfc.Tfc;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Every protocol of this build by the names that users give them. To add one, write its package and add its line to
 * {@link #KINDS}; docs/ADDING-A-PROTOCOL.md shows how.
 */
public final class Catalogue {
    /** All, in the order of their codes on the wire. */
    public static final List<ProtocolKind> KINDS = List.of(
            ExpressPass.KIND,
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

    /** {@return every preset of every protocol, the usual one of each first} */
    public static List<Settings> presets() {
        return KINDS.stream().flatMap(kind -> kind.presets().stream()).toList();
    }

    /** {@return the names of all protocols} */
    public static List<String> protocolNames() {
        return KINDS.stream().map(kind -> kind.id().name()).toList();
    }

    /** {@return every name that {@link #find} knows: of protocols, and of presets that have other names} */
    public static List<String> names() {
        List<String> names = new ArrayList<>(protocolNames());
        presets().stream()
                .map(Settings::preset)
                .filter(preset -> !names.contains(preset))
                .forEach(names::add);
        return names;
    }

    /** {@return the preset of this name, or the usual one of the protocol of this name} */
    public static Optional<Settings> find(String name) {
        return presets().stream()
                .filter(preset ->
                        preset.preset().equals(name) || preset.id().name().equals(name))
                .findFirst();
    }

    /** {@return what the protocols ask of the ports of switches, in the order of their names} */
    public static List<PortPart> portParts() {
        return KINDS.stream()
                .flatMap(kind -> kind.portParts().stream())
                .sorted(Comparator.comparing(PortPart::key))
                .toList();
    }

    /** {@return the usual preset of every protocol that can run on real ports, ExpressPass first} */
    public static List<ProtocolConfig> forRealPorts() {
        List<ProtocolConfig> protocols = new ArrayList<>();
        KINDS.stream().filter(kind -> kind.realPortObstacle().isEmpty()).forEach(kind -> protocols.add(kind.usual()));
        return protocols;
    }
}
