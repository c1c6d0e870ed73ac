import {
  attributeOf,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isShadowTemplate,
  isText,
} from './html-tree.js';
import { contactOf } from './link-address.js';

/** What an element holds, including all in it. */
export interface NodeFacts {
  /** Characters that are no blanks. */
  characters: number;
  digits: number;
  /** Characters in links to pages; those that lead to a telephone or a mailbox are not counted. */
  linkCharacters: number;
  pageLinks: number;
  hasHeading: boolean;
  hasMainHeading: boolean;
  hasTable: boolean;
}

export type FactsOf = (element: HtmlElement) => NodeFacts;

/** Never text for a reader. */
export const SKIPPED = new Set(
  'script style noscript template svg iframe object canvas head audio video embed textarea rt rp datalist frameset'.split(
    ' ',
  ),
);
const HEADING = /^h[1-6]$/;
const MAIN = new Set(['main', 'article', 'h1']);

/** Looks at each element once, from the leaves up. */
export function collectFacts(roots: readonly HtmlNode[]): FactsOf {
  const facts = new Map<HtmlElement, NodeFacts>();
  const stack: (HtmlNode | { readonly end: HtmlElement; readonly parent: HtmlElement | null })[] =
    roots.toReversed();
  const parents: HtmlElement[] = [];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ('end' in node) {
      parents.pop();
      endElement(node.end, node.parent, facts);
    } else if (isText(node)) {
      const parent = facts.get(parents.at(-1) as HtmlElement);
      if (parent) addText(node.value, parent);
    } else if (isElement(node) && (!SKIPPED.has(node.tagName) || 'content' in node)) {
      const parent = parents.at(-1) ?? null;
      facts.set(node, noFacts());
      parents.push(node);
      stack.push({ end: node, parent });
      const children = 'content' in node ? contentOf(node) : node.childNodes;
      for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as HtmlNode);
    }
  }
  return (element) => facts.get(element) ?? noFacts();
}

function contentOf(template: HtmlElement): readonly HtmlNode[] {
  return isShadowTemplate(template) && 'content' in template
    ? (template.content as HtmlElement).childNodes
    : [];
}

function addText(text: string, facts: NodeFacts): void {
  for (const { length } of text.match(/\S+/g) ?? []) facts.characters += length;
  facts.digits += text.match(/\d/g)?.length ?? 0;
}

function endElement(
  element: HtmlElement,
  parent: HtmlElement | null,
  facts: ReadonlyMap<HtmlElement, NodeFacts>,
): void {
  const own = facts.get(element);
  if (!own) return;
  const { tagName } = element;
  if (tagName === 'a') {
    const href = attributeOf(element, 'href');
    own.pageLinks = href === null || contactOf(href) !== null ? 0 : 1;
    own.linkCharacters = own.pageLinks === 0 ? 0 : own.characters;
  }
  const above = parent && facts.get(parent);
  if (!above) return;
  above.characters += own.characters;
  above.digits += own.digits;
  above.linkCharacters += own.linkCharacters;
  above.pageLinks += own.pageLinks;
  above.hasHeading ||= own.hasHeading || HEADING.test(tagName);
  above.hasMainHeading ||= own.hasMainHeading || MAIN.has(tagName);
  above.hasTable ||= own.hasTable || tagName === 'table';
}

function noFacts(): NodeFacts {
  return {
    characters: 0,
    digits: 0,
    linkCharacters: 0,
    pageLinks: 0,
    hasHeading: false,
    hasMainHeading: false,
    hasTable: false,
  };
}
