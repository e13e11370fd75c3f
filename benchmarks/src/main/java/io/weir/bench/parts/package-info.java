/** What each part of a frame's way through the stack costs by itself, measured with JMH. */
package io.weir.bench.parts;
