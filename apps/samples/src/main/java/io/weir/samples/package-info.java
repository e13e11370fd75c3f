/** Programs to read and to copy from: each class shows one way to use Weir, and runs as server or as client. */
package io.weir.samples;
