/**
 * Other kernels, processors and network devices: a trial that runs in an emulated machine, what starts the machine, and
 * the table of what came out (docs/PLATFORMS.md).
 */
package io.weir.nic.platform;
