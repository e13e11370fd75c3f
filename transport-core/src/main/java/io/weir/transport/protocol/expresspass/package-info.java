/**
 * ExpressPass: Cho, Jang, Han, "Credit-Scheduled Delay-Bounded Congestion Control for Datacenters", SIGCOMM 2017.
 * docs/protocols/expresspass.md maps the paper's sections to these classes.
 */
package io.weir.transport.protocol.expresspass;
