package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.nic.bpf.ProgramHolder;
import io.weir.nic.net.Interfaces;
import java.util.Optional;

/**
 * Finds who has an interface that a port was to be opened on, and what to do. For refusals: it looks at every process.
 */
final class Occupant {
    private static final String ONE_EACH = "the queues of an interface belong to one transport at a time";

    private Occupant() {}

    /** {@return the refusal to share an interface with the owner of an XDP program} */
    static NicException refusal(String interfaceName, int programId) {
        return new NicException(sentence(interfaceName, programId, ProgramHolder.find(programId)));
    }

    /** {@return the refusal, if an XDP program is on the interface of the calling thread's network namespace now} */
    static Optional<NicException> refusal(String interfaceName) {
        try {
            int programId = Interfaces.find(interfaceName).xdpProgramId();
            return programId == 0 ? Optional.empty() : Optional.of(refusal(interfaceName, programId));
        } catch (NicException e) {
            // The interface is gone; what was refused before says more.
            return Optional.empty();
        }
    }

    static String sentence(String interfaceName, int programId, Optional<ProgramHolder> holder) {
        String what = "interface " + interfaceName + " has an XDP program of ";
        if (holder.isEmpty()) {
            return what + "someone else (program id " + programId
                    + "), and no process that can be seen from here keeps it there; take it off: ip link set dev "
                    + interfaceName + " xdp off; ip link set dev " + interfaceName + " xdpgeneric off";
        }
        long processId = holder.get().processId();
        if (holder.get().isThisProcess()) {
            return what + "this process (" + processId + ") already (program id " + programId
                    + "); close the transport that has it, or use that one for everything: " + ONE_EACH;
        }
        return what + "process " + processId + " (" + holder.get().command() + "; program id " + programId
                + "); end that process (kill " + processId + ") or use another interface: " + ONE_EACH
                + "; to serve several processes run weir broker --interface " + interfaceName
                + " and open it by the backend broker (docs/SHARING.md)";
    }
}
