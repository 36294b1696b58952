/** Returns the URL rules as the operator wrote them, in a file, a variable or the dashboard. */
import type { ChangeableConfig } from '../changes/mod.ts';

export function rulesAsWritten(changeable: ChangeableConfig, path: string): readonly unknown[] {
  const { given } = changeable.explain(path).find(({ setting }) => setting.key === 'crawl.rules')!;
  const rules: unknown = typeof given === 'string' ? JSON.parse(given) : given;
  return rules as readonly unknown[];
}
