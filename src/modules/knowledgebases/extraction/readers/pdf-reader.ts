import { readFile } from 'node:fs/promises';
import { failure, UnreadableError } from '../../failure.js';
import { type UnreadPart, unreadPages } from '../../unread.js';
import { cleanText, type ReadDocument } from '../block.js';
import { LIMITS } from '../extraction.js';
import { sniff } from '../file-content.js';
import { annotationRuns, xfaLines } from './pdf/form-fields.js';
import { isGarbled } from './pdf/garbled-text.js';
import { kindOfPage, type PageKind } from './pdf/page-kind.js';
import type { Line } from './pdf/layout/line.js';
import { pageLines } from './pdf/layout/page-lines.js';
import { pageBlocks } from './pdf/lines/paragraphs.js';
import { openPdf, type PdfDocument, type PdfPage } from './pdf/pdf-document.js';
import { pageText } from './pdf/text-content.js';

/** Fewer characters than this on a page are a stamp on a picture of it, not its text. */
const MIN_CHARACTERS_PER_PAGE = 8;
/** A page more of whose characters than this cannot be decoded is not read. */
const MAX_UNDECODABLE = 0.3;
/** More of them than this are a part of its text that is missing, such as all digits of a font. */
const MAX_MISSING = 0.02;
const MIN_MISSING = 3;

/** Forms of letters are replaced once the letters are in their order. */
const RAW = { disableNormalization: true };

interface ReadPage {
  readonly lines: readonly Line[];
  readonly characters: number;
  /** Pages of kind `partial` have text, of which letters are missing. */
  readonly kind: PageKind | 'text' | 'partial';
}

/** A PDF that has text: paragraphs, rows of tables and headings are found by the places of its words. */
export async function readPdf(path: string): Promise<ReadDocument> {
  const pdf = await openPdf(await bytesOf(path));
  try {
    const { info } = await pdf.getMetadata();
    // What such a file shows to programs that do not know these forms is not its text.
    return info.IsXFAPresent && !info.IsAcroFormPresent ? await readXfa(path) : await readPages(pdf);
  } finally {
    await pdf.destroy();
  }
}

/** The bytes are pdf.js's own once it has got them. */
async function bytesOf(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path);
  if (sniff(bytes) !== 'pdf') throw new UnreadableError(failure('ingestion.wrong_type'));
  return new Uint8Array(bytes);
}

/** @throws UnreadableError also when the form is broken, or holds drawings alone */
async function readXfa(path: string): Promise<ReadDocument> {
  const pdf = await openPdf(await bytesOf(path), { asXfa: true }).catch((error: unknown) => {
    throw new UnreadableError(failure('ingestion.xfa'), { cause: error });
  });
  try {
    const document = pdf.isPureXfa ? await readPages(pdf) : null;
    if (document && document.blocks.length > 0) return document;
    throw new UnreadableError(failure('ingestion.xfa'));
  } finally {
    await pdf.destroy();
  }
}

async function readPages(pdf: PdfDocument): Promise<ReadDocument> {
  if (pdf.numPages > LIMITS.pages) {
    throw new UnreadableError(failure('ingestion.too_many_pages', { max: LIMITS.pages }));
  }
  const pages: ReadPage[] = [];
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await readPage(pdf, number);
    characters += page.characters;
    if (characters > LIMITS.characters) throw new UnreadableError(failure('ingestion.too_much_text'));
    pages.push(page);
  }
  refuseUnread(pages);
  const { info } = await pdf.getMetadata();
  const title = typeof info.Title === 'string' ? cleanText(info.Title).slice(0, 200) : '';
  return { title, blocks: pageBlocks(pages.map(({ lines }) => lines)), unread: unreadOf(pages) };
}

async function readPage(pdf: PdfDocument, number: number): Promise<ReadPage> {
  const page = await pdf.getPage(number);
  try {
    return pdf.isPureXfa ? await readXfaPage(page) : await readTextPage(page);
  } finally {
    // Fonts and operators of a page that has been read would stay in memory otherwise.
    page.cleanup();
  }
}

async function readTextPage(page: PdfPage): Promise<ReadPage> {
  const { runs, decoded, undecodable } = pageText(await page.getTextContent(RAW));
  const filled = annotationRuns(await page.getAnnotations(), runs[0]?.angle ?? 0);
  const isUndecodable =
    undecodable > (decoded + undecodable) * MAX_UNDECODABLE ||
    isGarbled(runs.map(({ text }) => text).join(' '));
  const lines = pageLines(isUndecodable ? filled : [...runs, ...filled]);
  const characters = charactersOf(lines);
  if (isUndecodable) return { lines, characters, kind: 'undecodable' };
  if (characters < MIN_CHARACTERS_PER_PAGE) return { lines, characters, kind: await kindOfPage(page) };
  const isPartial = undecodable >= MIN_MISSING && undecodable > decoded * MAX_MISSING;
  return { lines, characters, kind: isPartial ? 'partial' : 'text' };
}

async function readXfaPage(page: PdfPage): Promise<ReadPage> {
  const lines = xfaLines(await page.getXfa()).map((text): Line => ({
    text: cleanText(text),
    height: 0,
    y: 0,
    gap: null,
    isRow: true,
  }));
  return { lines, characters: charactersOf(lines), kind: 'text' };
}

function charactersOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + text.length, 0);
}

/** @throws UnreadableError when no page has text, with the reason of most of them */
function refuseUnread(pages: readonly ReadPage[]): void {
  const count = (...kinds: ReadPage['kind'][]) => pages.filter(({ kind }) => kinds.includes(kind)).length;
  if (count('text', 'partial') > 0) return;
  const hasWords = pages.some(({ characters }) => characters > 0);
  const pictures = count('picture', 'drawn');
  if (count('undecodable') > pictures && !hasWords)
    throw new UnreadableError(failure('ingestion.undecodable'));
  if (pictures > 0) throw new UnreadableError(failure('ingestion.scanned'));
  if (!hasWords) throw new UnreadableError(failure('ingestion.empty'));
}

/** Pages without text, by their reasons. */
function unreadOf(pages: readonly ReadPage[]): UnreadPart[] {
  const numbersOf = (...wanted: ReadPage['kind'][]) =>
    pages.flatMap(({ kind }, index) => (wanted.includes(kind) ? [String(index + 1)] : []));
  const reasons = [
    { reason: failure('ingestion.scanned'), numbers: numbersOf('picture') },
    { reason: failure('ingestion.undecodable'), numbers: numbersOf('undecodable', 'partial') },
  ];
  return reasons
    .filter(({ numbers }) => numbers.length > 0)
    .map(({ reason, numbers }) => unreadPages(reason, numbers, pages.length));
}
