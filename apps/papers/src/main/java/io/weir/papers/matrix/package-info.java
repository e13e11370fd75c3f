/** The default rule next to those of the ExpressPass paper, in every kind of network and traffic: one cell each. */
package io.weir.papers.matrix;
