package io.weir.nic.bpf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.ffi.DirectMemory;
import io.weir.nic.ffi.NativeMemory;
import io.weir.nic.lab.LiveTest;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link BpfProgram} with the kernel's verifier. */
@LiveTest
class BpfProgramLiveTest {
    private static final int WORDS = 64;

    @Test
    void load_bundledPrograms_areAccepted() throws Exception {
        BpfProgram.load("host").close();
        BpfProgram.load("switch").close();
    }

    @Test
    void load_programThatReturnsNothing_isRefusedWithTheVerifiersReasoning() {
        byte[] exit = {(byte) 0x95, 0, 0, 0, 0, 0, 0, 0};
        ProgramImage image = new ProgramImage("broken", ByteBuffer.wrap(exit), "Apache-2.0", List.of(), List.of());
        NicException e = assertThrows(NicException.class, () -> BpfProgram.load(image));
        assertTrue(e.getMessage().startsWith("load XDP program broken: E"), e.getMessage());
        assertTrue(e.getMessage().contains("R0 !read_ok"), e.getMessage());
    }

    @Test
    void load_mapThatTheKernelDoesNotKnow_isRefusedByName() {
        MapDefinition map = new MapDefinition("strange", 4_000, 4, 4, 1, 0);
        ProgramImage image = new ProgramImage(
                "broken",
                ByteBuffer.allocate(16),
                "Apache-2.0",
                List.of(new ProgramImage.MapReference(0, map)),
                List.of());
        NicException e = assertThrows(NicException.class, () -> BpfProgram.load(image));
        assertTrue(e.getMessage().startsWith("create map strange: EINVAL"), e.getMessage());
    }

    @Test
    void update_keyBeyondTheMap_isRefused() throws Exception {
        try (BpfProgram program = BpfProgram.load("host")) {
            NicException e = assertThrows(
                    NicException.class, () -> program.update("weir_ports", 65_536, NativeMemory.allocate(8)));
            assertTrue(e.getMessage().startsWith("set entry 65536 of map weir_ports: E2BIG"), e.getMessage());
        }
    }

    @Test
    void words_manyOfThem_takeNoMemoryEach() throws Exception {
        try (BpfProgram program = BpfProgram.load("host")) {
            MapWord words = program.words("weir_ports");
            long before = DirectMemory.bufferCount();
            for (int key = 0; key < WORDS; key++) {
                words.set(key, -1L);
            }
            assertTrue(DirectMemory.bufferCount() <= before, "direct buffers were made");
            NicException e = assertThrows(NicException.class, () -> words.set(65_536, 1));
            assertTrue(e.getMessage().startsWith("set entry 65536 of map weir_ports: E2BIG"), e.getMessage());
        }
    }

    @Test
    void loadForStamps_deviceThatDoesNotExist_isRefused() {
        NicException e = assertThrows(
                NicException.class, () -> BpfProgram.loadForStamps("host_stamps", Integer.MAX_VALUE, false));
        assertTrue(e.getMessage().startsWith("load XDP program host_stamps: E"), e.getMessage());
    }

    @Test
    void attach_interfaceThatDoesNotExist_givesTheError() throws Exception {
        try (BpfProgram program = BpfProgram.load("host")) {
            assertEquals(-22, program.attach(0, 0));
        }
    }
}
