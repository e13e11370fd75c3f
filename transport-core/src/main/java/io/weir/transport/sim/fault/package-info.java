/**
 * What goes wrong in a simulated network: links that lose, repeat, delay, reorder, damage or cut off, hosts that pause
 * or crash, pools that run dry. All of it follows from seeds and times; a Node never sees more than its frames and its
 * clock.
 */
package io.weir.transport.sim.fault;
