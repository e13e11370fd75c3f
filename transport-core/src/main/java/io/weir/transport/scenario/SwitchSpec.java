package io.weir.transport.scenario;

/**
 * A switch. What its ports are, its links say.
 *
 * @param name its name
 * @param pauses when its loop loses its core
 */
public record SwitchSpec(String name, Pauses pauses) {
    /** Creates a switch that never pauses. */
    public SwitchSpec(String name) {
        this(name, Pauses.NONE);
    }
}
