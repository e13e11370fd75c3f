/** What an experiment found, as its document has it: the names of the components are the document's keys. */
package io.weir.transport.scenario.result;
