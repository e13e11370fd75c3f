/** How fast the simulator is, on scenarios that users run, beside a yardstick of the same machine. */
package io.weir.bench.sim;
