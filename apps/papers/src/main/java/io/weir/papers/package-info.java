/**
 * What figures and tables of papers are made of: the runs they need, what they find, and what they claim. A figure is a
 * file (its runs, values, claims and charts, read by {@link io.weir.papers.FigureFile}) or a class; {@code
 * docs/PAPER.md} explains how to add one.
 */
package io.weir.papers;
