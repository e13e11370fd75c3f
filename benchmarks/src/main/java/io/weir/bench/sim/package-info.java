/** How fast the simulator is, on scenarios that users run, next to a yardstick of the same machine. */
package io.weir.bench.sim;
