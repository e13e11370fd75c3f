package io.weir.transport.scenario;

import io.weir.transport.host.HostConfig;

/**
 * A host.
 *
 * @param name its name
 * @param delay how long it takes to see a frame that has arrived
 * @param streams what each of its connections needs
 * @param timers when it gives up waiting
 */
public record HostSpec(String name, ProcessingDelay delay, HostConfig.Streams streams, HostConfig.Timers timers) {}
