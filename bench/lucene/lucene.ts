/**
 * Lucene as a rival: Debian's `liblucene8-java`, run by a Java program in this directory, over the pages that
 * `gyre export` writes.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { linesOf } from '../engine/read-corpus.ts';

const JARS = '/usr/share/java';
const MODULES = ['core', 'analyzers-common', 'highlighter', 'memory', 'queries'];
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Returns the class path of Lucene 8, or null with a message if Lucene is not installed. */
export function luceneJars(modules: readonly string[] = MODULES): string | null {
  const names = existsSync(JARS) ? readdirSync(JARS) : [];
  const found = modules.map((module) =>
    names.find((name) => name.startsWith(`lucene-${module}-8`) && name.endsWith('.jar')),
  );
  if (found.every((name) => name !== undefined)) return found.map((name) => join(JARS, name)).join(':');
  console.error('Lucene is not installed (apt-get install liblucene8-java): its row is left out');
  return null;
}

/**
 * Returns the arguments of `java` for a command of LucenePages.java. The JDK's HTTP server would otherwise delay
 * small responses on kept connections by up to 40 ms (Nagle's algorithm).
 */
export function javaArguments(jars: string, ...args: readonly string[]): string[] {
  const program = join(import.meta.dirname, 'LucenePages.java');
  return ['-Xmx2g', '-Dsun.net.httpserver.nodelay=true', '-cp', jars, program, ...args];
}

/** Runs a command of LucenePages.java to its end and returns its output. */
export function runLucene(jars: string, ...args: readonly string[]): string {
  return execFileSync('java', javaArguments(jars, ...args), {
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
  });
}

/** Indexes pages in the format of `gyre export`, a JSON object per line. */
export async function indexPages(jars: string, exported: string, directory: string): Promise<void> {
  const file = `${exported}.lines`;
  await writeLines(exported, file);
  runLucene(jars, 'index', file, directory);
  rmSync(file);
}

/** Writes three lines for each page: URL, title and text. */
async function writeLines(exported: string, file: string): Promise<void> {
  const output = createWriteStream(file);
  for (const line of linesOf(exported)) {
    const { url, title, text } = JSON.parse(line);
    const lines = [url, title, text].map((value: string) => `${value.replace(/[\r\n]+/g, ' ')}\n`);
    if (!output.write(lines.join(''))) await once(output, 'drain');
  }
  output.end();
  await once(output, 'finish');
}
