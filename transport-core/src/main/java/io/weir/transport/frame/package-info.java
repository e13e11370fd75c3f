/**
 * Frames in fixed memory, each with exactly one owner.
 *
 * <p>A pool belongs to one thread, and with it all its frames: the thread that runs the Nodes and ports which share it.
 */
package io.weir.transport.frame;
