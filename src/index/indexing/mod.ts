/**
 * Turns documents into a segment: a kernel splits the text into words, a sorter orders the occurrences by term,
 * and the segment buffer writes them. No JavaScript string is created per occurrence.
 */

export { SegmentBuffer } from './segment-buffer.ts';
export { WordGatherer } from './word-gatherer.ts';
