import { readFile } from 'node:fs/promises';
import { getDocumentProxy } from 'unpdf';
import { failure, UnreadableError } from '../../failure.js';
import { cleanText, type ReadDocument } from '../block.js';
import { LIMITS } from '../extraction.js';
import { sniff } from '../file-content.js';
import { type Line, linesOf, pageBlocks, type TextItem } from './pdf-layout.js';

/** Fewer characters than this on a page of a long document are a stamp on a scan, not its text. */
const MIN_CHARACTERS_PER_PAGE = 8;

/** What is used of pdf.js, whose own types are lost in the package. */
interface Pdf {
  readonly numPages: number;
  getPage(number: number): Promise<{
    getTextContent(): Promise<{ readonly items: readonly PdfItem[] }>;
    cleanup(): boolean;
  }>;
  getMetadata(): Promise<{ readonly info: object }>;
}

/** A run of text; marked content has none. */
interface PdfItem {
  readonly str?: string;
  readonly height?: number;
  readonly transform?: readonly number[];
  readonly hasEOL?: boolean;
}

/** A PDF that has text: paragraphs and headings are told by the layout of its lines. */
export async function readPdf(path: string): Promise<ReadDocument> {
  const bytes = await readFile(path);
  if (sniff(bytes) !== 'pdf') throw new UnreadableError(failure('ingestion.wrong_type'));
  const pdf = await openPdf(new Uint8Array(bytes));
  if (pdf.numPages > LIMITS.pages) {
    throw new UnreadableError(failure('ingestion.too_many_pages', { max: LIMITS.pages }));
  }
  const pages: Line[][] = [];
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const lines = linesOf(await itemsOf(pdf, number));
    characters += lines.reduce((sum, { text }) => sum + text.length, 0);
    if (characters > LIMITS.characters) throw new UnreadableError(failure('ingestion.too_much_text'));
    pages.push(lines);
  }
  if (characters < MIN_CHARACTERS_PER_PAGE * pdf.numPages) {
    throw new UnreadableError(failure('ingestion.scanned'));
  }
  return { title: await titleOf(pdf), blocks: pageBlocks(pages) };
}

async function openPdf(bytes: Uint8Array): Promise<Pdf> {
  try {
    const pdf: unknown = await getDocumentProxy(bytes, { isEvalSupported: false, verbosity: 0 });
    return pdf as Pdf;
  } catch (error) {
    const isEncrypted = error instanceof Error && error.name === 'PasswordException';
    const key = isEncrypted ? 'ingestion.encrypted' : 'ingestion.unreadable';
    throw new UnreadableError(failure(key), { cause: error });
  }
}

async function itemsOf(pdf: Pdf, number: number): Promise<TextItem[]> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  // Fonts and operators of a page that has been read would stay in memory otherwise.
  page.cleanup();
  return items.map(({ str = '', height = 0, transform, hasEOL = false }) => ({
    text: str,
    height,
    y: transform?.[5] ?? 0,
    endsLine: hasEOL,
  }));
}

async function titleOf(pdf: Pdf): Promise<string> {
  const { info } = await pdf.getMetadata();
  const title = 'Title' in info ? info.Title : '';
  return typeof title === 'string' ? cleanText(title).slice(0, 200) : '';
}
