/** Which names of a segment's columns a filter lets through: 1 for each that it does. */

export function hostsOn(hosts: readonly string[], site: string): Uint8Array {
  return marked(hosts, (host) => host === site || host.endsWith(`.${site}`));
}

/** `en` is also said by `en-gb`. */
export function languagesOf(languages: readonly string[], tag: string): Uint8Array {
  return marked(languages, (language) => language === tag || language.startsWith(`${tag}-`));
}

export function typesOf(types: readonly string[], name: string): Uint8Array {
  return marked(types, (type) => type === name);
}

function marked(names: readonly string[], isWanted: (name: string) => boolean): Uint8Array {
  return Uint8Array.from(names, (name) => (isWanted(name) ? 1 : 0));
}
