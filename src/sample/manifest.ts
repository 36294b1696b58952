/**
 * What we use of a package.json. The file is a stranger's: every field may be missing or of another
 * type than the documentation of npm says, and then counts as empty.
 */

export interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  keywords: string[];
  /** An http or https address, or the empty string; so is `repository`. */
  homepage: string;
  repository: string;
  /** Names, sorted: what the package needs to run, peers and optional ones included. */
  dependencies: string[];
}

type Fields = Record<string, unknown>;

/** Throws a SyntaxError when `text` is not a JSON object. `fallbackName` is for packages that name themselves nowhere. */
export function parseManifest(text: string, fallbackName: string): Manifest {
  const fields: unknown = JSON.parse(text);
  if (!isFields(fields)) throw new SyntaxError('expected a JSON object');
  return {
    name: line(fields.name) || fallbackName,
    version: line(fields.version),
    description: line(fields.description),
    license: line(fields.license) || line(asFields(fields.license).type),
    keywords: Array.isArray(fields.keywords) ? fields.keywords.map(line).filter(Boolean) : [],
    homepage: webAddress(line(fields.homepage)),
    repository: repositoryAddress(line(fields.repository) || line(asFields(fields.repository).url)),
    dependencies: dependencyNames(fields),
  };
}

function dependencyNames(fields: Fields): string[] {
  const groups = [fields.dependencies, fields.optionalDependencies, fields.peerDependencies];
  return [...new Set(groups.flatMap((group) => Object.keys(asFields(group))))].sort();
}

/** `git+https://host/x.git`, `git://host/x.git`, `github:owner/x` and `owner/x` are all pages on the web. */
function repositoryAddress(text: string): string {
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(text);
  if (short) return `https://github.com/${short[1]}`;
  return webAddress(
    text
      .replace(/^git\+/, '')
      .replace(/^git:/, 'https:')
      .replace(/\.git$/, ''),
  );
}

function webAddress(text: string): string {
  return /^https?:\/\//.test(text) && URL.canParse(text) ? text : '';
}

function line(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
}

function asFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
