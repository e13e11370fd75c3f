/** An oracle that tells every flow its fair rate at once: what no rate control can surpass. For simulations alone. */
package io.weir.transport.protocol.reactive.ideal;
