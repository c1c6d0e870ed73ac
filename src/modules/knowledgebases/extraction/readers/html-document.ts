import { parseHTML } from 'linkedom';

/** The part of the DOM that readers use; the product is compiled without the types of browsers. */
export interface HtmlNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: ArrayLike<HtmlNode>;
}

export interface HtmlElement extends HtmlNode {
  getAttribute(name: string): string | null;
}

export interface HtmlDocument {
  readonly title: string | null;
  readonly documentElement: HtmlElement;
  readonly body: HtmlElement;
  querySelector(selector: string): HtmlElement | null;
  querySelectorAll(selector: string): Iterable<HtmlElement>;
}

export function parseHtml(html: string): HtmlDocument {
  const { document } = parseHTML(html) as unknown as { document: HtmlDocument };
  return document;
}
