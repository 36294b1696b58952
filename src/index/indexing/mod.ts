/**
 * Turns documents into a segment: the gathering kernel splits text into words, the sorter orders the
 * occurrences by term, and the buffer writes them. No JavaScript string is created per occurrence.
 */

export { SegmentBuffer } from './segment-buffer.ts';
export { WordGatherer } from './word-gatherer.ts';
