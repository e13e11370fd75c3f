/**
 * What figures and tables of papers are made of: the runs they need, what they find, and what they claim. A figure is a
 * file or a class; {@code docs/PAPER.md} explains how to add one.
 */
package io.weir.papers;
