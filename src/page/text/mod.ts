/**
 * Converts bytes to text: charset detection, character references, and the builder that collects visible text
 * with marks.
 */

export { decodeReferences } from './character-reference.ts';
export { declaredCharset, toUtf8 } from './charset.ts';
export { ComposedText } from './composed-text.ts';
export { cut, foldSpace } from './folding.ts';
export { isProgramTitle } from './program-title.ts';
export { joined, trimmed } from './ranges.ts';
export { Separator, type Style, TextBuilder } from './text-builder.ts';
export { eachLine } from './text-lines.ts';
export { useRuns } from './text-runs.ts';
export { subjectRange, titleParts } from './title-parts.ts';
