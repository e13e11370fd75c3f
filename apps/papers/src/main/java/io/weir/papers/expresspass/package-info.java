/** The figures and tables of ExpressPass (SIGCOMM 2017), a class each. */
package io.weir.papers.expresspass;
