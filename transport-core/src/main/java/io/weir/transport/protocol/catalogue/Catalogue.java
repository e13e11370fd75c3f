package io.weir.transport.protocol.catalogue;

import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.reactive.cubic.Cubic;
import io.weir.transport.protocol.reactive.dctcp.Dctcp;
import io.weir.transport.protocol.reactive.newreno.NewReno;
import io.weir.transport.protocol.reactive.vegas.Vegas;
import java.util.List;

/** The protocols beside ExpressPass. To add one, write its package and add its line here; docs/ADDING-A-PROTOCOL.md shows how. */
public final class Catalogue {
    /** All, in the order of their codes on the wire. */
    public static final List<ProtocolKind> KINDS = List.of(NewReno.KIND, Cubic.KIND, Vegas.KIND, Dctcp.KIND);

    private Catalogue() {}
}
