/** Finds the field, such as title or heading, of each word in the text of a document. */
import type { FieldRange } from '../document.ts';
import { FIELD_WEIGHTS, Field } from '../fields.ts';

/**
 * Returns a function that finds the field at an offset in the text. The function must be called with ascending
 * offsets. If ranges overlap, such as a link inside a heading, it returns the field with the largest weight.
 * But everything inside a menu belongs to the field `menu`. A word outside all ranges is body text.
 */
export function fieldAt(fieldRanges: readonly FieldRange[]): (offset: number) => Field {
  let next = 0;
  let open: FieldRange[] = [];
  let changesAt = 0;
  let field: Field = Field.body;
  return (offset) => {
    if (offset < changesAt) return field;
    for (; next < fieldRanges.length && fieldRanges[next]!.start <= offset; next++)
      open.push(fieldRanges[next]!);
    open = open.filter((stretch) => stretch.end > offset);
    field = heaviest(open);
    changesAt = Math.min(fieldRanges[next]?.start ?? Number.POSITIVE_INFINITY, ...open.map(({ end }) => end));
    return field;
  };
}

function heaviest(open: readonly FieldRange[]): Field {
  let field = open[0]?.field ?? Field.body;
  for (const stretch of open) {
    if (stretch.field === Field.menu) return Field.menu;
    if (FIELD_WEIGHTS[stretch.field]! > FIELD_WEIGHTS[field]!) field = stretch.field;
  }
  return field;
}
