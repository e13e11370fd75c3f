/** Programs to read and to copy from: each is one class, shows one way to use Weir, and runs as server and as client. */
package io.weir.samples;
