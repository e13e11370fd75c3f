/**
 * Token Flow Control: switch ports share out their link as windows, and hold acknowledgements where a window is less
 * than a frame.
 */
package io.weir.transport.protocol.tfc;
