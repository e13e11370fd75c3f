/** A software switch over real ports: what its ports are, its loop, and samples of what it counts. */
package io.weir.nic.switching;
