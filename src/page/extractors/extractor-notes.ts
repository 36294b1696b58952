/**
 * Reports extractors that throw. The parser thread sends the report, and the owner of the parser pool logs
 * it.
 */
import { type Log, messageOf, sendNote } from '../../base/mod.ts';

interface ExtractorNote {
  name: string;
  url: string;
  message: string;
}

/** Returns a function for `ParseOptions.report` that sends the errors of extractors to the owner of the parser pool. */
export function noteExtractors(url: string): (name: string, error: unknown) => void {
  return (name, error) => sendNote({ name, url, message: messageOf(error) } satisfies ExtractorNote);
}

/** Returns a function for `onNote` of the parser pool that logs each failing extractor once. */
export function logExtractorNotes(log: Log): (note: unknown) => void {
  const logged = new Set<string>();
  return (note) => {
    const { name, url, message } = note as ExtractorNote;
    if (logged.has(name)) return;
    logged.add(name);
    log.warn('extractor failed', { extractor: name, url, message });
  };
}
