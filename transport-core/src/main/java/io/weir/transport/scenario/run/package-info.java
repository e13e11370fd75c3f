/**
 * Runs a scenario in whatever world there is: applications for its flows, the clockwork that starts and stops them, and
 * what is measured meanwhile. The world itself, virtual or real, is behind {@link
 * io.weir.transport.scenario.run.World}.
 */
package io.weir.transport.scenario.run;
