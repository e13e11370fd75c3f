package io.weir.transport.telemetry;

/** Who keeps counts that others may look at. To add one, add it at the end: files have its number. */
public enum Subject {
    /** A transport; it counts by loop. */
    TRANSPORT,
    /** A switch, for what is not of one of its ports. */
    SWITCH,
    /** A port of a switch. */
    SWITCH_PORT,
    /** A broker between processes. */
    BROKER
}
