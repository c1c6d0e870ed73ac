import { cleanText } from '../../block.js';
import { attributeOf, type HtmlElement } from './html-tree.js';
import { addressBehind, contactOf, pageAddressOf, unhiddenEmail } from './link-address.js';

/** Pages whose addresses are given; a list of a whole shop would be nothing else. */
const MAX_ADDRESSES = 200;
const HIDDEN_EMAIL = /\/cdn-cgi\/l\/email-protection#?([\da-f]*)$/i;

interface LinkText {
  readonly link: HtmlElement;
  /** Null where the link holds paragraphs. */
  readonly text: string | null;
  /** The address of a page is not needed here: a list of links, a heading that leads to its own article. */
  readonly isBare: boolean;
}

/** Writes addresses that stand in a link alone behind its text, each once a page. */
export class LinkWriter {
  private readonly given = new Set<string>();

  constructor(
    private readonly base: string,
    private readonly page: string,
  ) {}

  /** What is to be added behind the text of a link: the address it leads to, or nothing. */
  additionTo({ link, text, isBare }: LinkText): string {
    const href = attributeOf(link, 'href');
    if (href === null) return '';
    const contact = hiddenEmailOf(link, href) ?? contactOf(href);
    const words = cleanText(text ?? '');
    if (contact !== null) return addressBehind(words, contact, labelOf(link));
    if (isBare || words === '' || this.given.size >= MAX_ADDRESSES) return '';
    const address = pageAddressOf(href, this.base, this.page);
    if (address === null || this.given.has(address)) return '';
    this.given.add(address);
    return addressBehind(words, address);
  }
}

function labelOf(link: HtmlElement): string {
  return attributeOf(link, 'aria-label') ?? attributeOf(link, 'title') ?? '';
}

function hiddenEmailOf(link: HtmlElement, href: string): string | null {
  const hidden = HIDDEN_EMAIL.exec(href)?.[1];
  return hidden === undefined ? null : unhiddenEmail(hidden || (attributeOf(link, 'data-cfemail') ?? ''));
}
