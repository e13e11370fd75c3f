/**
 * Loads Weir's own XDP programs with bpf(2) alone: reads the built object, creates its maps, has the kernel verify the
 * program, and attaches it by a link that ends with the process, however that ends.
 *
 * <p>It is not a general loader: what our object does not use is refused.
 */
package io.weir.nic.bpf;
