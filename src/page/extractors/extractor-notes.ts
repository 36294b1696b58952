/** Reports of extractors that throw: sent by the parser thread, logged by the owner of the pool. */
import { type Log, messageOf, sendNote } from '../../base/mod.ts';

interface ExtractorNote {
  name: string;
  url: string;
  message: string;
}

/** For `ParseOptions.report`, in a thread of a parser pool. */
export function noteExtractors(url: string): (name: string, error: unknown) => void {
  return (name, error) => sendNote({ name, url, message: messageOf(error) } satisfies ExtractorNote);
}

/** For `onNote` of the pool: logs each extractor once. */
export function logExtractorNotes(log: Log): (note: unknown) => void {
  const logged = new Set<string>();
  return (note) => {
    const { name, url, message } = note as ExtractorNote;
    if (logged.has(name)) return;
    logged.add(name);
    log.warn('extractor failed', { extractor: name, url, message });
  };
}
