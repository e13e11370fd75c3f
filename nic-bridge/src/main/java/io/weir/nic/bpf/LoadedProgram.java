package io.weir.nic.bpf;

import java.util.Optional;

/**
 * A BPF program that someone has loaded.
 *
 * @param id the kernel's number of it
 * @param name what its loader called it, or empty where the kernel does not tell this process
 * @param holder a process that keeps it, or empty where none does that can be seen
 */
public record LoadedProgram(int id, String name, Optional<ProgramHolder> holder) {
    /** How the names of Weir's programs begin. */
    static final String PREFIX = "weir_";

    /** {@return what the kernel tells of the program with this number} Looks at every process. */
    public static LoadedProgram find(int id) {
        return new LoadedProgram(id, BpfCalls.programName(id), ProgramHolder.find(id));
    }

    /** {@return whether Weir has loaded it, in whatever process} */
    public boolean isOfWeir() {
        return name.startsWith(PREFIX);
    }
}
