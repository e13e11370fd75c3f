/**
 * How much data each port of a network may have to queue so that none is ever dropped: equation 1 of ExpressPass, for
 * any network. No clock, no randomness; computed once.
 */
package io.weir.transport.scenario.plan;
