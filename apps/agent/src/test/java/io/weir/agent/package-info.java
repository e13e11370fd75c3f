/** Tests of the agent's jar with programs that know nothing of Weir. */
package io.weir.agent;
