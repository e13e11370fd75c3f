/** Every protocol and every peer in the same three experiments, side by side. */
package io.weir.papers.comparison;
