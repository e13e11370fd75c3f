package io.weir.transport.lab;

/** Which planted fault of a {@link FaultyBuild} is at work. Each build has its own. */
public final class FaultSwitch {
    /** The fault's number, from 1 on; 0 for none. The code of the build reads it. */
    @SuppressWarnings("NonFinalStaticField") // a switch that code looks at must be one that can be turned
    public static int active;

    private FaultSwitch() {}
}
