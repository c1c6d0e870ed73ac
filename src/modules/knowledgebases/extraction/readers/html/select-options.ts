import { attributeOf, descendants, type HtmlElement, isElement, textOf } from './html-tree.js';

/** Longer lists are those of countries, cities and years, which say nothing of a company. */
const MAX_OPTIONS = 20;

/** What can be chosen from, in one line, where it says more than numbers. */
export function optionsOf(select: HtmlElement): string {
  const options: string[] = [];
  for (const node of descendants(select)) {
    if (!isElement(node) || node.tagName !== 'option') continue;
    const isPlaceholder = attributeOf(node, 'value') === '' || attributeOf(node, 'disabled') !== null;
    const text = textOf(node).trim();
    if (!isPlaceholder && text !== '') options.push(text);
  }
  const isList = options.length >= 2 && options.length <= MAX_OPTIONS;
  return isList && options.some((text) => /\p{L}/u.test(text)) ? options.join('; ') : '';
}
