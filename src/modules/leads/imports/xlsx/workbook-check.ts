import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { WorkbookLimits } from './workbook-limits.js';
import type { WorkbookFailure } from './workbook-reply.js';

/** Declarations by which a small XML unpacks itself into a large one, or reads other files. */
const FORBIDDEN_XML = /<!(?:DOCTYPE|ENTITY)/i;
const WORKBOOK_PART = 'xl/workbook.xml';

/** A workbook that is not read. */
export class WorkbookError extends Error {
  override readonly name = 'WorkbookError';

  constructor(
    readonly failure: WorkbookFailure,
    options?: ErrorOptions,
  ) {
    super(failure, options);
  }
}

/**
 * Unpacks a workbook into nothing, to see that it is whole and harmless before a reader unpacks it into memory: what its
 * parts say of their size must be true, and all of them together must be bounded.
 *
 * @throws WorkbookError
 */
export async function checkWorkbook(path: string, limits: WorkbookLimits): Promise<void> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch((error: unknown) => {
    throw new WorkbookError('unreadable', { cause: error });
  });
  // Stays: the list of entries listens only until it has ended.
  zip.on('error', () => undefined);
  try {
    const entries = await boundedEntries(zip, limits);
    if (!entries.some(({ fileName }) => fileName === WORKBOOK_PART)) throw new WorkbookError('unreadable');
    for (const entry of entries) await checkEntry(zip, entry);
  } catch (error) {
    throw error instanceof WorkbookError ? error : new WorkbookError('unreadable', { cause: error });
  } finally {
    zip.close();
  }
}

async function boundedEntries(zip: ZipFile, limits: WorkbookLimits): Promise<Entry[]> {
  const entries: Entry[] = [];
  if (zip.entryCount > limits.entries) throw new WorkbookError('hostile');
  let unpackedBytes = 0;
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw new WorkbookError('encrypted');
    unpackedBytes += entry.uncompressedSize;
    if (unpackedBytes > zip.fileSize * limits.unpackedRatio) throw new WorkbookError('hostile');
    if (unpackedBytes > limits.unpackedBytes) throw new WorkbookError('too-large');
    entries.push(entry);
  }
  return entries;
}

/** A part that unpacks to another size than it says is an error of the stream. */
async function checkEntry(zip: ZipFile, entry: Entry): Promise<void> {
  const isXml = /\.(?:xml|rels)$/i.test(entry.fileName);
  const stream: Readable = await zip.openReadStreamPromise(entry);
  let tail = '';
  for await (const piece of stream as AsyncIterable<Buffer>) {
    if (!isXml) continue;
    const text = tail + piece.toString('latin1');
    if (FORBIDDEN_XML.test(text)) throw new WorkbookError('hostile');
    tail = text.slice(-16);
  }
}
