/** Figures measured in real time, between network namespaces of this machine: how well delays can be measured here. */
package io.weir.papers.live;
