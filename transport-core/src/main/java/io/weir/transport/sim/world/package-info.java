/** A scenario in virtual time: its network out of the simulator's parts, and the run itself, slice by slice. */
package io.weir.transport.sim.world;
