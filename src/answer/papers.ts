/** Who published an article, by its own word for machines. */
import { propertyOf, type ReadablePage, type StructuredThing } from './own-crawl.ts';

/** What says that the page is news. */
export function articleItem({ items }: ReadablePage): StructuredThing | undefined {
  return items.find(({ type }) => /NewsArticle$|^LiveBlogPosting$/.test(type));
}

/** Empty if it does not say. */
export function paperOf(page: ReadablePage): string {
  const item = articleItem(page);
  return item ? propertyOf(item, 'publisher.name') : '';
}
