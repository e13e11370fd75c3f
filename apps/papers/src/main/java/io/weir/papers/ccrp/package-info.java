/** The figures of CCRP (NPC 2020), a class each: credits and reactive protocols on one link. */
package io.weir.papers.ccrp;
