/** Runs the simulations that figures need: several at a time, each once, and what remains of them judged. */
package io.weir.papers.run;
