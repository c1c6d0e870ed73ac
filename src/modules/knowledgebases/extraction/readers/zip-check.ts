import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { failure, UnreadableError } from '../../failure.js';
import { LIMITS } from '../extraction.js';

/** Declarations by which a small XML unpacks itself into a large one, or reads other files. */
const FORBIDDEN_XML = /<!(?:DOCTYPE|ENTITY)/i;

/** Parts of a zip by their names, in which letters of both cases are the same. */
export interface ZipParts {
  has(name: string): boolean;
  /** Null for a part that is not there. */
  read(name: string): Promise<Buffer | null>;
}

/**
 * Gives the parts of a zip to a reader. Before, it is unpacked into nothing, to see that it is whole and harmless: what
 * entries say of their size must be true, and all of them together must be bounded.
 *
 * @throws UnreadableError
 */
export async function withZip<Result>(
  path: string,
  readParts: (parts: ZipParts) => Promise<Result>,
): Promise<Result> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch((error: unknown) => {
    throw new UnreadableError(failure('ingestion.unreadable'), { cause: error });
  });
  // Stays: the list of entries listens only until it has ended.
  zip.on('error', () => undefined);
  try {
    return await readParts(partsOf(zip, await checkEntries(zip)));
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    throw new UnreadableError(failure('ingestion.unreadable'), { cause: error });
  } finally {
    zip.close();
  }
}

function partsOf(zip: ZipFile, entries: readonly Entry[]): ZipParts {
  // Some programs write the names with backslashes, which `yauzl` turns.
  const byName = new Map(entries.map((entry) => [keyOf(entry.fileName), entry]));
  return {
    has: (name) => byName.has(keyOf(name)),
    read: async (name) => {
      const entry = byName.get(keyOf(name));
      return entry ? buffer(await zip.openReadStreamPromise(entry)) : null;
    },
  };
}

function keyOf(name: string): string {
  return name.replace(/^\//, '').toLowerCase();
}

async function checkEntries(zip: ZipFile): Promise<Entry[]> {
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
  return entries;
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
