/**
 * Figures that are files: their runs, the values that remain of a run, and claims, charts and tables over these values.
 * {@code docs/PAPER.md} has the keys.
 */
package io.weir.papers.file;
