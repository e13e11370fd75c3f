package io.weir.nic.bpf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests {@link BpfObject} and {@link ElfReader} beneath it. */
class BpfObjectTest {
    @Test
    void bundled_hostProgram_refersToEveryMap() throws Exception {
        ProgramImage host = BpfObject.bundled(BpfObject.PLAIN).program("host");
        assertEquals("Apache-2.0", host.license());
        List<String> maps = host.mapReferences().stream()
                .map(reference -> reference.map().name())
                .distinct()
                .sorted()
                .collect(Collectors.toList());
        assertEquals(List.of("weir_addresses", "weir_ports", "weir_skipped", "weir_sockets"), maps);
    }

    @Test
    void bundled_switchProgram_refersToSocketsOnly() throws Exception {
        ProgramImage program = BpfObject.bundled(BpfObject.PLAIN).program("switch");
        assertEquals(1, program.mapReferences().size());
        assertEquals(
                new MapDefinition("weir_sockets", 17, 4, 4, 1024, 0),
                program.mapReferences().get(0).map());
    }

    @Test
    void bundled_programForStamps_callsTheKernelOnce() throws Exception {
        ProgramImage program = BpfObject.bundled(BpfObject.STAMPS).program("host_stamps");
        assertEquals("GPL", program.license());
        assertEquals(1, program.kernelCalls().size());
        assertEquals(
                "bpf_xdp_metadata_rx_timestamp", program.kernelCalls().get(0).function());
        assertEquals(5, program.mapReferences().size());
    }

    @Test
    void program_unknownName_saysWhichThereAre() {
        NicException e = assertThrows(
                NicException.class, () -> BpfObject.bundled(BpfObject.PLAIN).program("router"));
        assertTrue(e.getMessage().contains("no program router but [host, host_times, switch]"), e.getMessage());
    }

    @Test
    void parse_truncatedAnywhere_isRefusedClearly() throws Exception {
        byte[] whole = bytes();
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            NicException e = assertThrows(NicException.class, () -> BpfObject.parse(part), "length " + length);
            assertTrue(e.getMessage().startsWith("the XDP object is damaged: "), e.getMessage());
        }
    }

    @Test
    void parse_corruptedAnywhere_isRefusedClearlyOrParsed() throws Exception {
        long seed = 20260101;
        Random random = new Random(seed);
        byte[] whole = bytes();
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = whole.clone();
            for (int j = random.nextInt(4); j >= 0; j--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            try {
                BpfObject.parse(damaged);
            } catch (NicException e) {
                refused++;
                assertTrue(e.getMessage().startsWith("the XDP object is damaged: "), () -> "seed " + seed + ": " + e);
            }
        }
        assertTrue(refused > 1_000, "only " + refused + " refused, seed " + seed);
    }

    @Test
    void parse_otherMachine_isRefusedWithItsNumber() throws Exception {
        byte[] bytes = bytes();
        bytes[18] = 62;
        NicException e = assertThrows(NicException.class, () -> BpfObject.parse(bytes));
        assertTrue(e.getMessage().contains("its machine is 62, not BPF"), e.getMessage());
    }

    private static byte[] bytes() throws IOException {
        try (InputStream stream = BpfObject.class.getResourceAsStream("/io/weir/xdp/weir_xdp.bpf.o")) {
            return stream.readAllBytes();
        }
    }
}
