import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** Declarations by which a small XML unpacks itself into a large one, or reads other files. */
const FORBIDDEN_XML = /<!(?:DOCTYPE|ENTITY)/i;

export interface ZipLimits {
  readonly entries: number;
  readonly unpackedBytes: number;
  /** Unpacked to packed. */
  readonly unpackedRatio: number;
}

export type ZipProblem = 'unreadable' | 'encrypted' | 'entries' | 'ratio' | 'size' | 'declarations';

/** A zip that is not read. */
export class ZipError extends Error {
  override readonly name = 'ZipError';

  constructor(
    readonly problem: ZipProblem,
    options?: ErrorOptions,
  ) {
    super(`zip: ${problem}`, options);
  }
}

/**
 * Opens a zip while `use` runs.
 *
 * @throws ZipError when it is no zip
 */
export async function withOpenZip<Result>(
  path: string,
  use: (zip: ZipFile) => Promise<Result>,
): Promise<Result> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch((error: unknown) => {
    throw new ZipError('unreadable', { cause: error });
  });
  // Stays: the list of entries listens only until it has ended.
  zip.on('error', () => undefined);
  try {
    return await use(zip);
  } finally {
    zip.close();
  }
}

/** The entries of a zip, which say of themselves that they are few and small. @throws ZipError */
export async function boundedEntries(zip: ZipFile, limits: ZipLimits): Promise<Entry[]> {
  const entries: Entry[] = [];
  if (zip.entryCount > limits.entries) throw new ZipError('entries');
  let unpackedBytes = 0;
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw new ZipError('encrypted');
    unpackedBytes += entry.uncompressedSize;
    if (unpackedBytes > zip.fileSize * limits.unpackedRatio) throw new ZipError('ratio');
    if (unpackedBytes > limits.unpackedBytes) throw new ZipError('size');
    entries.push(entry);
  }
  return entries;
}

/**
 * Unpacks entries into nothing, to see that they are whole and harmless before a reader unpacks them into memory. One that unpacks
 * to another size than it says is an error of its stream.
 */
export async function unpackIntoNothing(zip: ZipFile, entries: readonly Entry[]): Promise<void> {
  for (const entry of entries) {
    const isXml = /\.(?:xml|rels)$/i.test(entry.fileName);
    const stream: Readable = await zip.openReadStreamPromise(entry);
    let tail = '';
    for await (const piece of stream as AsyncIterable<Buffer>) {
      if (!isXml) continue;
      const text = tail + piece.toString('latin1');
      if (FORBIDDEN_XML.test(text)) throw new ZipError('declarations');
      tail = text.slice(-16);
    }
  }
}
