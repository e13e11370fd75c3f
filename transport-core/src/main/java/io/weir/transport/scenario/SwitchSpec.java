package io.weir.transport.scenario;

/**
 * A switch. What its ports are, its links say.
 *
 * @param name its name
 */
public record SwitchSpec(String name) {}
