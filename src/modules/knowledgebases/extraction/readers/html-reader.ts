import { readFile } from 'node:fs/promises';
import { decodeText } from '#src/common/text/decode-text.js';
import { failure, UnreadableError } from '../../failure.js';
import { type UnreadPart, unreadPart } from '../../unread.js';
import { type Block, type ReadDocument, unreadCharacters } from '../block.js';
import { sniff } from '../file-content.js';
import { siteBlocksOf } from './html/furniture.js';
import { parseHtml } from './html/html-tree.js';
import { withoutHash } from './html/link-address.js';
import { LinkWriter } from './html/link-writer.js';
import { collectFacts } from './html/node-facts.js';
import { type PageFacts, pageFactsOf } from './html/page-facts.js';
import { type PageContext, PageWalker } from './html/page-walker.js';
import { drawnTextOf } from './html/script-drawn.js';
import { StruckText } from './html/struck-text.js';

/** A page that leads on sooner than this is not meant to be read. */
const MAX_REFRESH_SECONDS = 1;
/** One with less text than this says only that it leads on. */
const MAX_REFRESH_TEXT = 400;
const MAX_NOTICED_SECONDS = 60;

/** A web page: its text without menus and notices, then what its footer says of the company. */
export async function readHtml(
  path: string,
  url: string,
  charset: string | undefined,
): Promise<ReadDocument> {
  const bytes = await readFile(path);
  if (sniff(bytes) !== 'text') throw new UnreadableError(failure('ingestion.not_a_page'));
  const document = parseHtml(decodeText(bytes, { charset }));
  const facts = pageFactsOf(document, url);
  const page: PageContext = {
    factsOf: collectFacts(document.childNodes),
    struck: new StruckText(facts.css),
    decimalMark: facts.decimalMark,
    links: new LinkWriter(facts.base, url),
  };
  const walker = new PageWalker(page);
  const blocks = walker.walk(document.childNodes);
  const drawn = drawnTextOf(document, blocks, { ...facts, factsOf: page.factsOf });
  const isNone = drawn === 'none';
  const unread: UnreadPart[] = drawn === 'all' ? [] : [unreadPart(failure('ingestion.scripted'))];
  return {
    title: facts.title,
    language: facts.language,
    links: facts.links,
    canonicalUrl: facts.canonicalUrl,
    refreshUrl: refreshOf(facts, url, blocks),
    blocks: isNone ? [] : blocks,
    siteBlocks: isNone ? [] : siteBlocksOf(walker.furniture, page),
    unread: [...unread, ...unreadCharacters(blocks)],
  };
}

/** Where the page leads on by itself, if that is what it is for. */
function refreshOf({ refresh }: PageFacts, url: string, blocks: readonly Block[]): string | null {
  if (refresh === null || withoutHash(refresh.url) === withoutHash(url)) return null;
  if (refresh.delaySeconds <= MAX_REFRESH_SECONDS) return refresh.url;
  const length = blocks.reduce((sum, { text }) => sum + text.length, 0);
  return refresh.delaySeconds <= MAX_NOTICED_SECONDS && length < MAX_REFRESH_TEXT ? refresh.url : null;
}
