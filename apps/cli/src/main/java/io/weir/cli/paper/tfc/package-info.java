/** The figures of TFC (EuroSys 2016), each a class. */
package io.weir.cli.paper.tfc;
