/** What {@code weir paper} leaves: a document for programs, drawings, and a page that stands alone. */
package io.weir.papers.report;
