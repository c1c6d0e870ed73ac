import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { failure, UnreadableError } from '../../failure.js';
import { LIMITS } from '../extraction.js';

/** Declarations by which a small XML unpacks itself into a large one, or reads other files. */
const FORBIDDEN_XML = /<!(?:DOCTYPE|ENTITY)/i;

export interface CheckedZip {
  readonly names: ReadonlySet<string>;
}

/**
 * Unpacks a zip into nothing, to see that it is whole and harmless before a reader unpacks it into memory: what
 * entries say of their size must be true, and all of them together must be bounded.
 *
 * @throws UnreadableError
 */
export async function checkZip(path: string): Promise<CheckedZip> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch((error: unknown) => {
    throw new UnreadableError(failure('ingestion.unreadable'), { cause: error });
  });
  // Stays: the list of entries listens only until it has ended.
  zip.on('error', () => undefined);
  try {
    return { names: await checkEntries(zip) };
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    throw new UnreadableError(failure('ingestion.unreadable'), { cause: error });
  } finally {
    zip.close();
  }
}

async function checkEntries(zip: ZipFile): Promise<Set<string>> {
  const entries: Entry[] = [];
  const { entryCount, fileSize } = zip;
  if (entryCount > LIMITS.zipEntries) throw hostile('too many entries');
  let unpackedBytes = 0;
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw new UnreadableError(failure('ingestion.encrypted'));
    unpackedBytes += entry.uncompressedSize;
    if (unpackedBytes > LIMITS.unpackedBytes) throw hostile('too large when unpacked');
    if (unpackedBytes > fileSize * LIMITS.unpackedRatio) throw hostile('packed too well');
    entries.push(entry);
  }
  for (const entry of entries) await checkEntry(zip, entry);
  return new Set(entries.map(({ fileName }) => fileName));
}

async function checkEntry(zip: ZipFile, entry: Entry): Promise<void> {
  const isXml = /\.(xml|rels)$/i.test(entry.fileName);
  const stream: Readable = await zip.openReadStreamPromise(entry);
  let tail = '';
  for await (const piece of stream as AsyncIterable<Buffer>) {
    if (!isXml) continue;
    const text = tail + piece.toString('latin1');
    if (FORBIDDEN_XML.test(text)) throw hostile('XML with declarations of its own');
    tail = text.slice(-16);
  }
}

function hostile(why: string): UnreadableError {
  return new UnreadableError(failure('ingestion.hostile'), { cause: why });
}
