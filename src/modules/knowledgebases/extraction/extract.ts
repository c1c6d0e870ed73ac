import { failure, UnreadableError } from '../failure.js';
import type { ReadDocument } from './block.js';
import { chunk } from './chunker.js';
import { type Extraction, type ExtractionReply, type ExtractionRequest, LIMITS } from './extraction.js';

/** Reads a file and cuts it into passages. A fault of the file is an answer, not an error. */
export async function extract(request: ExtractionRequest): Promise<ExtractionReply> {
  try {
    return { extraction: passagesOf(await read(request)) };
  } catch (error) {
    // Readers throw errors of every kind on broken files, down to a stack that was too small for their nesting.
    return error instanceof UnreadableError
      ? { failure: error.failure, detail: describe(error.cause) }
      : { failure: failure('ingestion.unreadable'), detail: describe(error) };
  }
}

/** Names and messages alone: a stack says nothing of the file, and the message may be long. */
function describe(error: unknown): string {
  const words =
    error instanceof Error ? `${error.name}: ${error.message}` : typeof error === 'string' ? error : '';
  return words.slice(0, 200);
}

/** Each reader is loaded for the first file of its kind: the libraries behind them are large, and a child may read one file. */
async function read({ path, kind, url = '', charset }: ExtractionRequest): Promise<ReadDocument> {
  switch (kind) {
    case 'pdf':
      return (await import('./readers/pdf-reader.js')).readPdf(path);
    case 'docx':
      return (await import('./readers/docx-reader.js')).readDocx(path);
    case 'txt':
      return (await import('./readers/text-reader.js')).readText(path);
    case 'html':
      return (await import('./readers/html-reader.js')).readHtml(path, url, charset);
  }
}

function passagesOf(read: ReadDocument): Extraction {
  const { title, blocks, siteBlocks = [], language, links = [], unread = [] } = read;
  const { canonicalUrl = null, refreshUrl = null } = read;
  const characters = [...blocks, ...siteBlocks].reduce((sum, { text }) => sum + text.length, 0);
  if (characters > LIMITS.characters) throw new UnreadableError(failure('ingestion.too_much_text'));
  // Without the title of the page, so that they are the same on each of them.
  const ofSite = chunk({ title: '', blocks: siteBlocks, language });
  const passages = [...chunk({ title, blocks, language }), ...ofSite];
  return { title, passages, links, canonicalUrl, refreshUrl, unread };
}
