import { readFile } from 'node:fs/promises';
import { Readability } from '@mozilla/readability';
import { failure, UnreadableError } from '../../failure.js';
import { type Block, cleanText, type ReadDocument } from '../block.js';
import { LIMITS } from '../extraction.js';
import { sniff } from '../file-content.js';
import { blocksOfHtml, blocksOfNode } from './html-blocks.js';
import { type HtmlDocument, parseHtml } from './html-document.js';
import { languageOfTag } from '../language.js';
import { decodeText } from './text-reader.js';

/** Readability must keep at least this part of what a page says, or it took the page for something else. */
const MIN_KEPT_SHARE = 0.5;
const META_CHARSET = /<meta[^>]{0,200}charset=["']?([\w-]{1,40})/i;
const MAX_ELEMENTS = 50_000;

/** A web page: its article when it has one, else all of it but menus and forms. */
export async function readHtml(
  path: string,
  url: string,
  charset: string | undefined,
): Promise<ReadDocument> {
  const bytes = await readFile(path);
  if (sniff(bytes) !== 'text') throw new UnreadableError(failure('ingestion.not_a_page'));
  const html = decodeText(bytes, charset ?? META_CHARSET.exec(bytes.toString('latin1', 0, 4_096))?.[1]);
  const document = parseHtml(html);
  const base = baseOf(url, document.querySelector('base[href]')?.getAttribute('href'));
  return {
    title: cleanText(document.title ?? ''),
    language: languageOfTag(document.documentElement.getAttribute('lang') ?? ''),
    links: linksOf(document, base),
    canonicalUrl: resolve(
      document.querySelector('link[rel~="canonical"]')?.getAttribute('href') ?? null,
      base,
    ),
    blocks: mainBlocks(document, html),
  };
}

function mainBlocks(document: HtmlDocument, html: string): Block[] {
  const all = blocksOfNode(document.documentElement, { contentOnly: true });
  const article = articleOf(html);
  if (article === null) return all;
  const blocks = blocksOfHtml(article);
  return lengthOf(blocks) >= lengthOf(all) * MIN_KEPT_SHARE ? blocks : all;
}

/** Readability changes the document it reads, so that it gets its own. Null when it finds no article. */
function articleOf(html: string): string | null {
  try {
    const document = parseHtml(html) as unknown as ConstructorParameters<typeof Readability>[0];
    return new Readability(document, { maxElemsToParse: MAX_ELEMENTS }).parse()?.content ?? null;
  } catch {
    // Too many elements, or a document no browser would build: the page is taken as a whole.
    return null;
  }
}

function linksOf(document: HtmlDocument, base: string): string[] {
  const links = new Set<string>();
  for (const anchor of document.querySelectorAll('a[href]')) {
    if (links.size >= LIMITS.links) break;
    const link = resolve(anchor.getAttribute('href'), base);
    if (link !== null) links.add(link);
  }
  return [...links];
}

function baseOf(url: string, href: string | null | undefined): string {
  return resolve(href ?? null, url) ?? url;
}

/** Null for what is no address, and for one longer than pages have, which stays in this process. */
function resolve(href: string | null, base: string): string | null {
  if (href === null || href.length > LIMITS.linkCharacters || !URL.canParse(href, base)) return null;
  const { href: address } = new URL(href, base);
  return address.length > LIMITS.linkCharacters ? null : address;
}

function lengthOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length, 0);
}
