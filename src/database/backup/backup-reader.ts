import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import type { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { BackupError } from './backup.error.js';
import {
  type Checksums,
  CHECKSUMS,
  checksumsSchema,
  FORMAT,
  type Manifest,
  MANIFEST,
  manifestSchema,
} from './manifest.js';

/** What a backup holds that was read once from end to end. */
export interface CheckedBackup {
  readonly manifest: Manifest;
  readonly checksums: Checksums;
}

export interface BackupEntry {
  readonly name: string;
  readonly bytes: number;
  readonly content: Readable;
}

/** The entries in their order; each has to be read to its end before the next. */
export async function* readEntries(
  path: string,
  see: (bytes: number) => void = () => undefined,
): AsyncGenerator<BackupEntry> {
  const tar = extract();
  const file = createReadStream(path);
  const gunzip = createGunzip();
  file.on('data', (chunk) => see(chunk.length));
  file.on('error', (error) => gunzip.destroy(error));
  gunzip.on('error', (error) => tar.destroy(error));
  file.pipe(gunzip).pipe(tar);
  try {
    for await (const entry of tar) {
      yield {
        name: entry.header.name,
        bytes: entry.header.size ?? 0,
        content: entry as unknown as Readable,
      };
    }
  } finally {
    file.destroy();
    gunzip.destroy();
  }
}

/**
 * Reads a backup once and compares each entry with its checksum. Changes nothing.
 *
 * @param see hears how much of the file is read, 0 to 1
 * @throws BackupError when it is none, is cut short, or was changed
 */
export async function checkBackup(path: string, see: (share: number) => void): Promise<CheckedBackup> {
  const { size } = await stat(path).catch(() => {
    throw new BackupError(`There is no file ${path}.`);
  });
  const found = new Map<string, string>();
  let manifest: Manifest | null = null;
  let checksums: Checksums | null = null;
  let read = 0;
  try {
    for await (const { name, content } of readEntries(path, (bytes) => see((read += bytes) / size))) {
      if (name === MANIFEST || name === CHECKSUMS) {
        const bytes = await buffer(content);
        found.set(name, createHash('sha256').update(bytes).digest('hex'));
        if (name === MANIFEST) manifest = manifestOf(bytes);
        else checksums = checksumsSchema.parse(JSON.parse(bytes.toString('utf8')));
        continue;
      }
      const hash = createHash('sha256');
      for await (const chunk of content) hash.update(chunk as Buffer);
      found.set(name, hash.digest('hex'));
    }
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`${path} is no backup of Prosa, or is damaged: nothing was changed.`, {
      cause: error,
    });
  }
  if (!manifest) throw new BackupError(`${path} is no backup of Prosa: nothing was changed.`);
  if (!checksums) throw new BackupError(`${path} is cut short: nothing was changed.`);
  found.delete(CHECKSUMS);
  const names = new Set([...found.keys(), ...Object.keys(checksums.entries)]);
  const wrong = [...names].find((name) => found.get(name) !== checksums.entries[name]);
  if (wrong !== undefined) throw new BackupError(`${path} is damaged in ${wrong}: nothing was changed.`);
  return { manifest, checksums };
}

function manifestOf(bytes: Buffer): Manifest {
  const content: unknown = JSON.parse(bytes.toString('utf8'));
  const { format } = content as { format?: unknown };
  if (typeof format === 'number' && format > FORMAT) {
    throw new BackupError(
      'This backup was made by a newer release of Prosa, whose form this one does not know: nothing was changed. Restore it with that release.',
    );
  }
  return manifestSchema.parse(content);
}
