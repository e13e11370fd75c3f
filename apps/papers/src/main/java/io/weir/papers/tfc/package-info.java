/** The figures of TFC (EuroSys 2016), each a class. */
package io.weir.papers.tfc;
