/**
 * Reports extractors that throw, and broken files of record rules. The parser thread sends the report, and the owner of the parser pool logs
 * it.
 */
import { type Log, messageOf, sendNote } from '../../base/mod.ts';

interface ExtractorNote {
  name: string;
  url: string;
  message: string;
}

interface BrokenRulesNote {
  brokenRules: string;
}

/** Returns a function for `ParseOptions.report` that sends the errors of extractors to the owner of the parser pool. */
export function noteExtractors(url: string): (name: string, error: unknown) => void {
  return (name, error) => sendNote({ name, url, message: messageOf(error) } satisfies ExtractorNote);
}

/** Sends the problem of a file of record rules to the owner of the parser pool. */
export function noteBrokenRules(brokenRules: string): void {
  sendNote({ brokenRules } satisfies BrokenRulesNote);
}

/**
 * Returns a function for `onNote` of the parser pool that logs each failing extractor, and each problem of record
 * rules, once.
 */
export function logReadingNotes(log: Log): (note: unknown) => void {
  const logged = new Set<string>();
  return (received) => {
    const note = received as ExtractorNote | BrokenRulesNote;
    if ('brokenRules' in note) {
      if (!logged.has(note.brokenRules)) log.warn('record rules refused', { problem: note.brokenRules });
      logged.add(note.brokenRules);
      return;
    }
    const { name, url, message } = note;
    if (logged.has(name)) return;
    logged.add(name);
    log.warn('extractor failed', { extractor: name, url, message });
  };
}
