/**
 * Creates a copy of a page for display: the same text and layout, without scripts, forms that send, or
 * requests to other hosts.
 */

export { inertCopy, markedText } from './inert-copy.ts';
