/** Finds elements of XML by name, for documents in which only the attributes of some elements matter. */
import type { WorkBudget } from '../../base/mod.ts';
import { scanXml } from './xml-scanner.ts';

interface XmlElement {
  /** The name without its prefix. */
  name: string;
  /** The attributes that were asked for and that the element has. */
  attributes: Record<string, string>;
}

/**
 * Returns all elements with one of the given names (without prefix), in document order, each with the attributes in
 * `attributeNames` (in lower case, with prefix). Each element costs a piece of the budget.
 */
export function elementsIn(
  source: Buffer,
  names: readonly string[],
  attributeNames: readonly string[],
  budget: WorkBudget,
): XmlElement[] {
  const found: XmlElement[] = [];
  scanXml(
    source,
    {
      startTag(tag, attributes) {
        const name = localName(tag);
        if (!names.includes(name) || !budget.keep()) return;
        const element: XmlElement = { name, attributes: {} };
        for (const attribute of attributeNames) {
          const value = attributes.get(attribute);
          if (value !== null) element.attributes[attribute] = value;
        }
        found.push(element);
      },
      endTag() {},
      text() {},
    },
    budget,
  );
  return found;
}

/** Returns a name without its prefix: `p` for `w:p`. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
