/**
 * Reads the fields of package.json that the sample web uses. The file is untrusted: a field that is missing
 * or has a wrong type counts as empty.
 */

export interface PackageManifest {
  name: string;
  version: string;
  description: string;
  license: string;
  keywords: string[];
  /** The home page, an http or https URL, or the empty string. `repository` has the same format. */
  homepage: string;
  repository: string;
  /** The names of the runtime dependencies, including peer and optional ones, sorted. */
  dependencies: string[];
}

type Fields = Record<string, unknown>;

/**
 * Parses package.json. Throws a SyntaxError if `text` is not a JSON object. `fallbackName` is the name of a
 * package whose package.json has none.
 */
export function parseManifest(text: string, fallbackName: string): PackageManifest {
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

/** Converts `git+https://host/x.git`, `git://host/x.git`, `github:owner/x` and `owner/x` to a web URL. */
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
