/** Which field a word of a document's text belongs to. */
import type { Stretch } from './document.ts';
import { FIELD_WEIGHTS, Field } from './fields.ts';

/**
 * A function that tells the field at an offset, to be asked with ascending offsets. Stretches may
 * overlap, as a link inside a heading does: the heaviest field counts.
 * A word under no stretch is plain text.
 */
export function fieldAt(stretches: readonly Stretch[]): (offset: number) => Field {
  let next = 0;
  let open: Stretch[] = [];
  let changesAt = 0;
  let field: Field = Field.body;
  return (offset) => {
    if (offset < changesAt) return field;
    for (; next < stretches.length && stretches[next]!.start <= offset; next++) open.push(stretches[next]!);
    open = open.filter((stretch) => stretch.end > offset);
    field = heaviest(open);
    changesAt = Math.min(stretches[next]?.start ?? Number.POSITIVE_INFINITY, ...open.map(({ end }) => end));
    return field;
  };
}

function heaviest(open: readonly Stretch[]): Field {
  let field = open[0]?.field ?? Field.body;
  for (const stretch of open) {
    if (FIELD_WEIGHTS[stretch.field]! > FIELD_WEIGHTS[field]!) field = stretch.field;
  }
  return field;
}
