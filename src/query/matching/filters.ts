/**
 * Filters by host, language, format and collection. A segment has a table of the different names of each; a filter is computed
 * once per table, not per document. Element i of the result is 1 if name i passes the filter.
 */
import { collectionsOf, isOfFormat, kindOf } from '../../index/mod.ts';

export function hostsOn(hosts: readonly string[], site: string): Uint8Array {
  return marked(hosts, (host) => host === site || host.endsWith(`.${site}`));
}

/**
 * Marks the hosts that are not blocked. A listed site includes its subdomains. If several listed sites include a
 * host, the one with the longest name decides.
 */
export function unblockedHosts(
  hosts: readonly string[],
  blocked: readonly string[],
  allowed: readonly string[],
): Uint8Array {
  const effects = new Map([
    ...allowed.map((site) => [site, true]),
    ...blocked.map((site) => [site, false]),
  ] as [string, boolean][]);
  return marked(hosts, (host) => {
    for (let name = host; ; name = name.slice(name.indexOf('.') + 1)) {
      const effect = effects.get(name);
      if (effect !== undefined || !name.includes('.')) return effect ?? true;
    }
  });
}

/** Marks the languages that a language tag matches: `en` also matches `en-gb`. */
export function languagesOf(languages: readonly string[], tag: string): Uint8Array {
  return marked(languages, (language) => language === tag || language.startsWith(`${tag}-`));
}

export function typesOf(types: readonly string[], format: string): Uint8Array {
  return marked(types, (type) => isOfFormat(type, format));
}

export function kindsOf(types: readonly string[], kind: string): Uint8Array {
  return marked(types, (type) => kindOf(type) === kind);
}

export function collectedIn(types: readonly string[], collection: string): Uint8Array {
  return marked(types, (type) => collectionsOf(type).includes(collection));
}

function marked(names: readonly string[], isWanted: (name: string) => boolean): Uint8Array {
  return Uint8Array.from(names, (name) => (isWanted(name) ? 1 : 0));
}
