/**
 * Weir as a transport of Netty 4.2: {@link io.weir.netty.WeirIoHandler} runs the stack inside Netty's event loop, and
 * {@link io.weir.netty.WeirSocketChannel} and {@link io.weir.netty.WeirServerSocketChannel} are its channels.
 *
 * <p>Everything belongs to the event loop's thread unless it says otherwise. Pipelines are called between two cycles of
 * the stack, never within one.
 */
package io.weir.netty;
