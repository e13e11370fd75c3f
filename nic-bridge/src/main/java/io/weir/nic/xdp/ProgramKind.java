package io.weir.nic.xdp;

/** Which frames of an interface its port takes. */
public enum ProgramKind {
    /**
     * UDP datagrams of chosen ports; everything else stays the kernel's. A VLAN tag that the device takes out of the
     * frame is invisible to the program: turn rx-vlan-offload off where tagged networks share the interface.
     */
    HOST("host"),
    /** Every frame. */
    SWITCH("switch");

    private final String programName;

    ProgramKind(String programName) {
        this.programName = programName;
    }

    String programName() {
        return programName;
    }
}
