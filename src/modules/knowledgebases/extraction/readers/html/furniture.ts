import type { Block } from '../../block.js';
import type { HtmlElement } from './html-tree.js';
import { type PageContext, PageWalker } from './page-walker.js';

const COPYRIGHT = /©|\(c\)\s?\d{4}|copyright|todos os direitos|all rights reserved|todos los derechos/i;
const YEARS = /\b(?:19|20)\d\d\b/g;
/** A line with fewer digits beyond its years holds no telephone, no number of a company, no address. */
const MIN_DIGITS = 5;

/** What menus and footers say of the company: telephone, hours, address. Names of other pages and copyrights are left out. */
export function siteBlocksOf(furniture: readonly HtmlElement[], page: PageContext): Block[] {
  return furniture.flatMap((element) => {
    const blocks = new PageWalker(page, { isFurniture: true }).walk([element]);
    const isMenu = element.tagName !== 'footer';
    return withoutEmptyHeadings(blocks.filter((block) => isKept(block, isMenu)));
  });
}

function isKept({ kind, text }: Block, isMenu: boolean): boolean {
  const digits = text.replace(YEARS, '').match(/\d/g)?.length ?? 0;
  if (isMenu) return digits >= MIN_DIGITS || text.includes('@');
  if (COPYRIGHT.test(text)) return digits >= MIN_DIGITS;
  return kind === 'heading' || text.length > 3;
}

function withoutEmptyHeadings(blocks: readonly Block[]): Block[] {
  return blocks.filter(({ kind }, index) => kind === 'text' || blocks[index + 1]?.kind === 'text');
}
