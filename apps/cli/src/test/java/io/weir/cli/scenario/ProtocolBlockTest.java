package io.weir.cli.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.yaml.YamlFile;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.ProtocolConfig;
import org.junit.jupiter.api.Test;

/** Tests {@link ProtocolBlock}: names, presets, and the keys around the parameters. */
class ProtocolBlockTest {
    private static ProtocolConfig read(String block) {
        return ProtocolBlock.read(
                YamlFile.parse("s.yaml", "protocol: " + block).require("protocol"), ProtocolBlock.usual());
    }

    @Test
    void read_name_isWhatResultsCallIt() {
        assertEquals("slow", read("{id: dcqcn, name: slow}").preset());
        assertEquals("dcqcn", read("{id: dcqcn}").preset());
        assertEquals(
                "dcqcn-ccrp", read("{preset: dcqcn-ccrp, recoverySteps: 4}").preset());
    }

    @Test
    void read_unknownKey_namesTheKeysAroundTheParametersToo() {
        String said = assertThrows(ConfigException.class, () -> read("{id: newreno, hue: 3}"))
                .getMessage();
        assertTrue(said.contains("known here: id, preset, name, initialSegments, framesPerAck"), said);
    }

    @Test
    void read_parameterOfAnotherProtocol_namesThatProtocol() {
        String said = assertThrows(ConfigException.class, () -> read("{id: newreno, rounding: 1}"))
                .getMessage();
        assertTrue(said.contains("is a parameter of tfc, not of newreno"), said);
    }
}
