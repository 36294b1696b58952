/** Makes the table of settings in docs/configuration.md. `npm run docs` writes it, and a test compares it. */
import type { Setting } from '../src/cli/settings/settings.ts';

export function settingsTable(settings: readonly Setting[]): string {
  const rows = settings.map((setting) => {
    const flag = setting.flag === undefined ? '' : `\`--${setting.flag}\``;
    const value =
      setting.default === Number.MAX_SAFE_INTEGER ? 'no limit' : `\`${JSON.stringify(setting.default)}\``;
    return `| \`${setting.key}\` | ${flag} | ${setting.kind.name.replaceAll(' | ', ', ')} | ${value} | ${setting.help} |`;
  });
  return ['| key | flag | kind | default | meaning |', '|---|---|---|---|---|', ...rows].join('\n');
}
