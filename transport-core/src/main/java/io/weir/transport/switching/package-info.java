/**
 * A switch: ports with a data queue, a carved and metered credit queue, marking, and a link's rate and delay;
 * forwarding between them. {@link io.weir.transport.switching.SwitchPipeline} is the Node; one thread owns it.
 */
package io.weir.transport.switching;
