/** The command that reproduces the papers, and the list of what it can reproduce. */
package io.weir.papers.command;
