import { Attr, parser, parser_end, parser_write, type Parser, Token } from 'streaming-markdown';

const TAGS: Partial<Record<Token, string>> = {
  [Token.Blockquote]: 'blockquote',
  [Token.Paragraph]: 'p',
  [Token.Line_Break]: 'br',
  [Token.Rule]: 'hr',
  [Token.List_Unordered]: 'ul',
  [Token.List_Ordered]: 'ol',
  [Token.List_Item]: 'li',
  [Token.Code_Inline]: 'code',
  [Token.Equation_Inline]: 'code',
  [Token.Italic_Ast]: 'em',
  [Token.Italic_Und]: 'em',
  [Token.Strong_Ast]: 'strong',
  [Token.Strong_Und]: 'strong',
  [Token.Strike]: 's',
  [Token.Link]: 'a',
  [Token.Raw_URL]: 'a',
  [Token.Table_Row]: 'tr',
  [Token.Table_Cell]: 'td',
};
const CODE_BLOCKS: readonly Token[] = [Token.Code_Block, Token.Code_Fence, Token.Equation_Block];
const HEADINGS: readonly Token[] = [
  Token.Heading_1,
  Token.Heading_2,
  Token.Heading_3,
  Token.Heading_4,
  Token.Heading_5,
  Token.Heading_6,
];
const SAFE_LINK = /^(https?:\/\/|mailto:|tel:)/i;

/**
 * Writes Markdown into an element as nodes, piece by piece. It makes only nodes of the list above, with one attribute
 * that comes from the text: the address of a link, where it is http, https, mailto or tel. An image becomes a link,
 * since its address would be asked for at once, and could carry the conversation with it.
 */
export class MarkdownWriter {
  private readonly parser: Parser;
  private readonly open: Element[] = [];
  private written = '';

  constructor(
    private readonly into: Element,
    private readonly imageText: string,
  ) {
    this.parser = parser({
      data: null,
      add_token: (_data, token) => this.begin(token),
      end_token: () => this.end(),
      add_text: (_data, text) => this.top.append(text),
      set_attr: (_data, name, value) => this.setAttribute(name, value),
    });
  }

  /** Writes what the text has more than before. False where it is another one, which needs a new writer. */
  write(text: string): boolean {
    if (!text.startsWith(this.written)) return false;
    parser_write(this.parser, text.slice(this.written.length));
    this.written = text;
    return true;
  }

  finish(): void {
    parser_end(this.parser);
  }

  private get top(): Element {
    return this.open.at(-1) ?? this.into;
  }

  private begin(token: Token): void {
    if (token === Token.Document) return;
    const element = elementOf(token, this.top);
    if (token === Token.Image) element.append(`${this.imageText}: `);
    this.top.append(element);
    // The innermost element holds what follows; end() leaves the whole of it.
    this.open.push(element.querySelector('code, table') ?? element);
  }

  private end(): void {
    this.open.pop();
  }

  private setAttribute(name: Attr, value: string): void {
    const element = this.top;
    if (name === Attr.Start && element.tagName === 'OL')
      element.setAttribute('start', `${Number.parseInt(value, 10) || 1}`);
    if (name === Attr.Checked) element.textContent = '☑';
    if (name !== Attr.Href && name !== Attr.Src) return;
    const address = value.replace(/[.,;:!?]+$/, '');
    if (element.tagName !== 'A' || !SAFE_LINK.test(address) || !URL.canParse(address)) return;
    element.setAttribute('href', address);
    element.setAttribute('target', '_blank');
    element.setAttribute('rel', 'noopener noreferrer nofollow');
    if (name === Attr.Src) element.append(new URL(address).hostname);
  }
}

function elementOf(token: Token, parent: Element): Element {
  if (CODE_BLOCKS.includes(token)) return scrollable('pre', 'code');
  if (token === Token.Table) return scrollable('div', 'table');
  if (HEADINGS.includes(token)) return withClass('p', 'heading');
  if (token === Token.Checkbox) {
    const box = withClass('span', 'box');
    box.textContent = '☐';
    return box;
  }
  if (token === Token.Image) return document.createElement(parent.closest('a') ? 'span' : 'a');
  // The first row of a table names its columns.
  if (token === Token.Table_Cell && !parent.previousElementSibling) return document.createElement('th');
  return document.createElement(TAGS[token] ?? 'span');
}

/** What may be wider than a message; it can be scrolled by keyboard. */
function scrollable(outer: string, inner: string): Element {
  const element = withClass(outer, 'wide');
  element.setAttribute('tabindex', '0');
  element.append(document.createElement(inner));
  return element;
}

function withClass(tag: string, name: string): Element {
  const element = document.createElement(tag);
  element.className = name;
  return element;
}
