/** DCQCN: a rate that notifications of congestion lower, and time and bytes without one raise again. */
package io.weir.transport.protocol.reactive.dcqcn;
