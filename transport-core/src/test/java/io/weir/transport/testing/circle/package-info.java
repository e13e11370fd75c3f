/** A circle of classes, as a canary. */
package io.weir.transport.testing.circle;
