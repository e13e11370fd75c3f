/** Measurements of Weir next to other programs that do the same job. */
package io.weir.bench;
