/** Figures of DX (Lee and others, IEEE/ACM Transactions on Networking 25(1), 2017) that are made in virtual time. */
package io.weir.papers.dx;
