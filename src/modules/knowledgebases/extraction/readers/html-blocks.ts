import { type Block, cleanText } from '../block.js';
import { type HtmlNode, parseHtml } from './html-document.js';

const ELEMENT = 1;
const TEXT = 3;

/** Never text for a reader. */
const SKIPPED = new Set([
  'SCRIPT',
  'STYLE',
  'NOSCRIPT',
  'TEMPLATE',
  'SVG',
  'IFRAME',
  'OBJECT',
  'CANVAS',
  'HEAD',
]);
/** Parts of a page that repeat on each of its site. */
const CHROME = new Set(['NAV', 'ASIDE', 'FOOTER', 'FORM', 'BUTTON', 'SELECT', 'DIALOG']);
const HEADING = /^H([1-6])$/;
const ENDS_PARAGRAPH = new Set(
  'P DIV SECTION ARTICLE MAIN HEADER UL OL LI DL DT DD TABLE THEAD TBODY TFOOT TR CAPTION BLOCKQUOTE PRE FIGURE FIGCAPTION HR BR DETAILS SUMMARY ADDRESS FIELDSET BODY'.split(
    ' ',
  ),
);

interface BlockOptions {
  /** Leave out menus, footers and forms. */
  readonly contentOnly?: boolean;
}

/** Headings, paragraphs, list items and table rows of an HTML text. */
export function blocksOfHtml(html: string, options: BlockOptions = {}): Block[] {
  return blocksOfNode(parseHtml(`<!doctype html><html><body>${html}</body></html>`).body, options);
}

/** Walks without recursion: how deeply a page is nested is its author's choice. */
export function blocksOfNode(root: HtmlNode, { contentOnly = false }: BlockOptions = {}): Block[] {
  const builder = new BlockBuilder();
  const stack: (HtmlNode | { readonly leave: string })[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ('leave' in node) {
      builder.leave(node.leave);
    } else if (node.nodeType === TEXT) {
      builder.addText(node.textContent ?? '');
    } else if (node.nodeType === ELEMENT) {
      const name = node.nodeName.toUpperCase();
      if (SKIPPED.has(name) || (contentOnly && CHROME.has(name))) continue;
      builder.enter(name);
      stack.push({ leave: name });
      for (let i = node.childNodes.length - 1; i >= 0; i--) {
        const child = node.childNodes[i];
        if (child) stack.push(child);
      }
    }
  }
  return builder.finish();
}

class BlockBuilder {
  private readonly blocks: Block[] = [];
  private text = '';
  private headingLevel = 0;
  private rowDepth = 0;

  enter(name: string): void {
    const heading = HEADING.exec(name);
    if (heading || ENDS_PARAGRAPH.has(name)) this.endPart(name);
    if (heading) this.headingLevel = Number(heading[1]);
    if (name === 'LI') this.text = '- ';
    if (name === 'TR') this.rowDepth++;
    if ((name === 'TD' || name === 'TH') && this.text.trim() !== '') this.text += ' | ';
  }

  leave(name: string): void {
    const isHeading = HEADING.test(name);
    if (isHeading || ENDS_PARAGRAPH.has(name)) this.endPart(name);
    if (isHeading) this.headingLevel = 0;
    if (name === 'TR') this.rowDepth--;
  }

  addText(text: string): void {
    this.text += text;
  }

  finish(): Block[] {
    this.endBlock();
    return this.blocks;
  }

  /** A row of a table is one line, whatever paragraphs its cells hold. */
  private endPart(name: string): void {
    if (this.rowDepth > 0 && name !== 'TR') this.text += ' ';
    else this.endBlock();
  }

  private endBlock(): void {
    const text = cleanText(this.text);
    this.text = '';
    if (text === '' || text === '-') return;
    this.blocks.push(
      this.headingLevel > 0 ? { kind: 'heading', level: this.headingLevel, text } : { kind: 'text', text },
    );
  }
}
