/** Software that nobody here wrote, unmodified, over Weir: clients of real servers, behind a plain relay. */
package io.weir.interop;
