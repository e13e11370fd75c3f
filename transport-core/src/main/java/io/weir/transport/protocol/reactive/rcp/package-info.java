/** The Rate Control Protocol: every port of a switch has one rate, which it tells all flows. */
package io.weir.transport.protocol.reactive.rcp;
