import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, rename, rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { BackupError } from './backup.error.js';
import { type Checksums, CHECKSUMS } from './manifest.js';

/** Writes a backup: a tar archive in gzip, whose last entry has the checksum of each other one. */
export class BackupWriter {
  private readonly tar = pack();
  private readonly checksums: { entries: Record<string, string>; rows: Record<string, number> } = {
    entries: {},
    rows: {},
  };
  private readonly written: Promise<void>;
  /** Why the file cannot be written on; the archive itself only says that it has ended. */
  private failure: Error | undefined;

  private constructor(
    private readonly path: string,
    private readonly partial: string,
  ) {
    // A backup contains every conversation, so only its owner may read the file.
    const file = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
    this.written = pipeline(this.tar as unknown as Readable, createGzip(), file);
    // The next write or the end reports a failure.
    this.written.catch((error: Error) => {
      this.failure = error;
      this.tar.destroy(error);
    });
  }

  /** @throws BackupError when there is a file already */
  static async open(path: string): Promise<BackupWriter> {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) throw new BackupError(`There is a file ${path} already: choose another name, or delete it.`);
    return new BackupWriter(path, `${path}.${process.pid}.part`);
  }

  countRows(table: string, rows: number): void {
    this.checksums.rows[table] = rows;
  }

  /** Content that is whole in memory. */
  async add(name: string, content: Buffer): Promise<void> {
    this.checksums.entries[name] = createHash('sha256').update(content).digest('hex');
    await this.entry(name, content.length, [content]);
  }

  /** @param bytes exact size of the content */
  async addStream(name: string, content: AsyncIterable<Buffer>, bytes: number): Promise<void> {
    const hash = createHash('sha256');
    await this.entry(name, bytes, content, (chunk) => hash.update(chunk));
    this.checksums.entries[name] = hash.digest('hex');
  }

  /** Completes the file, which has its name only now. */
  async close(): Promise<void> {
    const checksums: Checksums = this.checksums;
    const content = Buffer.from(JSON.stringify(checksums));
    await this.entry(CHECKSUMS, content.length, [content]);
    this.tar.finalize();
    await this.written;
    await rename(this.partial, this.path);
  }

  async discard(): Promise<void> {
    this.tar.destroy();
    await this.written.catch(() => undefined);
    await rm(this.partial, { force: true });
  }

  private async entry(...entry: Parameters<BackupWriter['writeEntry']>): Promise<void> {
    try {
      await this.writeEntry(...entry);
    } catch (error) {
      throw this.failure ?? error;
    }
  }

  private async writeEntry(
    name: string,
    size: number,
    content: AsyncIterable<Buffer> | Iterable<Buffer>,
    see: (chunk: Buffer) => void = () => undefined,
  ): Promise<void> {
    const entry = this.tar.entry({ name, size, mode: 0o600 }) as unknown as Writable;
    const ended = new Promise<void>((resolve, reject) => {
      entry.on('close', resolve);
      entry.on('error', reject);
    });
    ended.catch(() => undefined);
    for await (const chunk of content) {
      see(chunk);
      if (!entry.write(chunk))
        await Promise.race([new Promise((resolve) => entry.once('drain', resolve)), ended]);
    }
    entry.end();
    // A disk that is full ends the file before the entry.
    await Promise.race([ended, this.written]);
  }
}
