/** Numbers as people read them, where there is no page and so no language to ask for. */

const COUNT = new Intl.NumberFormat('en');

export function formatNumber(value: number): string {
  return COUNT.format(value);
}
