/** Measurements of Weir beside other programs that do the same job. */
package io.weir.bench;
