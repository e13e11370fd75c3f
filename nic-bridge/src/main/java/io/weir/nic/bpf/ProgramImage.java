package io.weir.nic.bpf;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A program as the object holds it, not loaded yet.
 *
 * @param name its section's name without the {@code xdp/}
 * @param instructions the instructions, eight bytes each, little-endian
 * @param license the license that its author declares to the kernel
 * @param mapReferences where the instructions name maps
 * @param kernelCalls where the instructions call functions of the kernel
 */
record ProgramImage(
        String name,
        ByteBuffer instructions,
        String license,
        List<MapReference> mapReferences,
        List<KernelCall> kernelCalls) {

    /** Protects the instructions from changes. */
    ProgramImage {
        instructions = instructions.asReadOnlyBuffer();
    }

    /** {@return a copy of the instructions} */
    byte[] copyInstructions() {
        byte[] copy = new byte[instructions.capacity()];
        instructions.get(0, copy);
        return copy;
    }

    /** The instruction at {@code offset} loads the address of a map. */
    record MapReference(int offset, MapDefinition map) {}

    /** The instruction at {@code offset} calls a function of the kernel. */
    record KernelCall(int offset, String function) {}
}
