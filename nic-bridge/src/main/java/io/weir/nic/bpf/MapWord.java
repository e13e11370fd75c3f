package io.weir.nic.bpf;

import io.weir.nic.NicException;
import io.weir.nic.ffi.NativeMemory;
import java.lang.ref.Reference;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sets words of a map whose keys are numbers and whose values have 64 bits, with memory for the system call that is
 * made once. Not for several threads at once; not after its program was closed.
 */
public final class MapWord {
    private final String mapName;
    private final UnsafeBuffer key = NativeMemory.allocate(Integer.BYTES);
    private final UnsafeBuffer value = NativeMemory.allocate(Long.BYTES);
    /** Names the map, and where key and value lie. */
    private final UnsafeBuffer attributes;

    MapWord(String mapName, int mapFd) {
        this.mapName = mapName;
        attributes = BpfCalls.updateAttributes(mapFd, key, value);
    }

    /**
     * Sets a word.
     *
     * @throws NicException if the kernel refuses, as it does a key outside the map
     */
    public void set(int wordKey, long bits) throws NicException {
        key.putInt(0, wordKey);
        value.putLong(0, bits);
        try {
            int result = BpfCalls.updateMap(attributes);
            if (result < 0) {
                throw BpfProgram.refusal(result, "set entry " + wordKey + " of map " + mapName);
            }
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
