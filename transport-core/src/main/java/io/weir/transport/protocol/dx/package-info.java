/** DX: a window that follows the queueing delay of one direction, measured without synchronised clocks. */
package io.weir.transport.protocol.dx;
