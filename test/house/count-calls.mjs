/**
 * Preloaded into the program, and thereby into each of its threads: writes a line to the file CALLS_FILE for each call of
 * the functions below. The line has the name of the call, the thread, and an argument. The program is changed as it is
 * loaded, so that calls inside its modules count too.
 */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { threadId } from 'node:worker_threads';

/** For each file, lines with which the counted functions begin, the name of the call, and what is written about it. */
const COUNTED = {
  '/src/url/url-rules.ts': ['  decide(url: CanonicalUrl, depth: number): UrlDecision {', 'decide', 'url'],
  '/src/crawl/parsing/read-response.ts': [
    'export function readResponse(answer: FetchedResponse, options: ReadingOptions): Read {',
    'page',
    'answer.url',
  ],
  '/src/query/language/parse.ts': [
    '  const reading = new Reading(tokens, lookups, isSum);',
    'parse',
    "tokens.map((token) => token.text ?? '').join(' ')",
  ],
};

globalThis.writeCall = (name, argument) =>
  appendFileSync(process.env.CALLS_FILE, `${JSON.stringify([name, threadId, argument])}\n`);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const file = Object.keys(COUNTED).find((path) => url.endsWith(path));
    if (!file) return loaded;
    const [line, name, argument] = COUNTED[file];
    const source = String(loaded.source);
    if (!source.includes(line)) throw new Error(`${file}: expected the line "${line}"`);
    return {
      ...loaded,
      source: source.replace(line, `${line} globalThis.writeCall('${name}', ${argument});`),
    };
  },
});
