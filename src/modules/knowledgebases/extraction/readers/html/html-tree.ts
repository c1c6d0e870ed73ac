import { type DefaultTreeAdapterTypes, defaultTreeAdapter, Parser, type Token } from 'parse5';
import { failure, UnreadableError } from '../../../failure.js';

export type HtmlDocument = DefaultTreeAdapterTypes.Document;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlText = DefaultTreeAdapterTypes.TextNode;

/** Deeper elements become siblings, as in browsers; the parser's work grows with depth times length. */
const MAX_DEPTH = 512;
/** A page of 5 MB has fewer, unless its tags are left open so that the parser multiplies them. */
const MAX_ELEMENTS = 500_000;
/** Of elements in foreign content and templates, which do not end where HTML would end them. */
const MAX_FOREIGN_DEPTH = 2 * MAX_DEPTH;
/** Their content is no HTML, which the parser has to know also in deep trees. */
const RAW_TEXT = new Set(
  'script style textarea title xmp iframe noembed noframes plaintext template svg math'.split(' '),
);

/** The parser of the HTML standard, with bounded depth. */
class BoundedParser extends Parser<DefaultTreeAdapterTypes.DefaultTreeAdapterMap> {
  override onStartTag(token: Token.TagToken): void {
    const maxDepth = RAW_TEXT.has(token.tagName) ? MAX_FOREIGN_DEPTH : MAX_DEPTH;
    if (this.openElements.stackTop >= maxDepth) return;
    super.onStartTag(token);
  }
}

/**
 * The tree that browsers make of a page.
 *
 * @throws UnreadableError when it has too many elements
 */
export function parseHtml(page: string): HtmlDocument {
  let elements = 0;
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(...details) {
      if (++elements > MAX_ELEMENTS) throw new UnreadableError(failure('ingestion.too_much_memory'));
      return defaultTreeAdapter.createElement(...details);
    },
  };
  // Without scripts, so that what is there for readers without them is part of the tree.
  return BoundedParser.parse(page, { treeAdapter, scriptingEnabled: false });
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node;
}

export function isText(node: HtmlNode): node is HtmlText {
  return node.nodeName === '#text';
}

export function attributeOf({ attrs }: HtmlElement, name: string): string | null {
  return attrs.find((attribute) => attribute.name === name)?.value ?? null;
}

/** Text of an element and all in it; for titles and labels, which are short. */
export function textOf(element: HtmlElement): string {
  let text = '';
  for (const node of descendants(element)) if (isText(node)) text += node.value;
  return text;
}

/** All nodes below one, in document order, without those in templates. Without recursion: depth is the author's choice. */
export function* descendants(root: { readonly childNodes: readonly HtmlNode[] }): Generator<HtmlNode> {
  const stack = root.childNodes.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    if (isElement(node)) for (const child of node.childNodes.toReversed()) stack.push(child);
  }
}

/** The tree within a template: what a declarative shadow tree is written in. */
export function shadowOf(element: HtmlElement): readonly HtmlNode[] | null {
  const template = element.childNodes.find((child) => isElement(child) && isShadowTemplate(child));
  return template && 'content' in template ? template.content.childNodes : null;
}

export function isShadowTemplate(element: HtmlElement): boolean {
  const mode = attributeOf(element, 'shadowrootmode') ?? attributeOf(element, 'shadowroot');
  return element.tagName === 'template' && mode !== null;
}
