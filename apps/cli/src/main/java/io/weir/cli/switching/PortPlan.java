package io.weir.cli.switching;

import io.weir.cli.unit.QuantityPrinter;
import io.weir.cli.yaml.EcnBlock;
import io.weir.cli.yaml.ParameterBlock;
import io.weir.cli.yaml.PortBlocks;
import io.weir.nic.switching.SwitchInterface;
import io.weir.nic.xdp.RingSizes;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.switching.SwitchPortConfig;
import io.weir.transport.wire.Ethernet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One port of the switch that a file describes.
 *
 * @param netPort what its interface is
 * @param config its queues, meter, marking and link
 * @param credits how the file has the meter
 * @param addresses the Ethernet addresses that are behind it, whatever it learns
 */
record PortPlan(SwitchInterface netPort, SwitchPortConfig config, CreditSettings credits, List<Long> addresses) {
    /** {@return what the port is called: its interface, with the namespace if it has one} */
    String name() {
        return netPort.namespace() == null ? netPort.name() : netPort.namespace() + "/" + netPort.name();
    }

    /** {@return the port as the file has it, with nothing left to defaults} */
    Map<String, Object> toDocument() {
        Map<String, Object> port = new LinkedHashMap<>();
        port.put("interface", netPort.name());
        port.put("backend", netPort.backend());
        if (netPort.namespace() != null) {
            port.put("namespace", netPort.namespace());
        }
        if (!addresses.isEmpty()) {
            port.put("addresses", addresses.stream().map(Ethernet::format).toList());
        }
        if (netPort instanceof SwitchInterface.Xdp xdp) {
            if (!xdp.config().queues().isEmpty()) {
                port.put("queues", xdp.config().queues());
            }
            port.put("mode", PortKeys.modeName(xdp.config().mode()));
            port.put("copy", xdp.config().forceCopy());
            RingSizes rings = xdp.config().ringSizes();
            port.put("rings", rings == null ? SwitchFile.AUTO : rings.receiveFrames());
        }
        port.put("rate", QuantityPrinter.rate(config.linkRateBps()));
        port.put("mtu", config.mtuBytes());
        port.put("dataQueue", QuantityPrinter.size(config.dataQueueBytesMax()));
        port.put("floodRate", QuantityPrinter.rate(config.floodRateBps()));
        port.put("credits", ParameterBlock.toDocument(credits));
        port.put("ecn", EcnBlock.toDocument(config.ecn()));
        PortBlocks.putPolicies(port, config.policies());
        port.put("link", LinkSettings.toDocument(config.link(), config.pauses()));
        return port;
    }
}
