import { buffer } from 'node:stream/consumers';
import type { Entry, ZipFile } from 'yauzl';
import {
  boundedEntries,
  unpackIntoNothing,
  withOpenZip,
  ZipError,
  type ZipLimits,
  type ZipProblem,
} from '#src/common/files/bounded-zip.js';
import { type Failure, failure, UnreadableError } from '../../failure.js';
import { LIMITS } from '../extraction.js';

const FAILURE_OF: Readonly<Record<ZipProblem, Failure>> = {
  unreadable: failure('ingestion.unreadable'),
  encrypted: failure('ingestion.encrypted'),
  entries: failure('ingestion.hostile'),
  ratio: failure('ingestion.hostile'),
  size: failure('ingestion.hostile'),
  declarations: failure('ingestion.hostile'),
};
const ZIP_LIMITS: ZipLimits = {
  entries: LIMITS.zipEntries,
  unpackedBytes: LIMITS.unpackedBytes,
  unpackedRatio: LIMITS.unpackedRatio,
};

/** Parts of a zip by their names, in which letters of both cases are the same. */
export interface ZipParts {
  has(name: string): boolean;
  /** Null for a part that is not there. */
  read(name: string): Promise<Buffer | null>;
}

/**
 * Gives the parts of a zip to a reader, once it is known to be whole and harmless.
 *
 * @throws UnreadableError
 */
export async function withZip<Result>(
  path: string,
  readParts: (parts: ZipParts) => Promise<Result>,
): Promise<Result> {
  try {
    return await withOpenZip(path, async (zip) => {
      const entries = await boundedEntries(zip, ZIP_LIMITS);
      await unpackIntoNothing(zip, entries);
      return readParts(partsOf(zip, entries));
    });
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    const why = error instanceof ZipError ? FAILURE_OF[error.problem] : FAILURE_OF.unreadable;
    throw new UnreadableError(why, { cause: error });
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
