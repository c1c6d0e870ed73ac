import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { DatabaseConfig } from '../../../config/config.js';
import { BackupWriter } from '../../../database/backup/backup-writer.js';
import { FileMissingError, FileStorage } from '../../../providers/storage/file-storage.js';
import { uploadsFolder } from '../../knowledgebases/documents/temporary-files.service.js';
import { filePrefixesOf } from '../account-files.js';
import { type AccountRows, AccountRowsRepository, type AccountTable } from './account-rows.repository.js';

/** A tar archive has the size of an entry before its content, so that rows are cut into pieces. */
const PIECE_BYTES = 4 * 1024 * 1024;
/** Before it is packed. A storage takes 5 GiB in one go. */
const MAX_BYTES = 4 * 1024 ** 3;
/** Rows come before files, which are most of the bytes. */
const PERCENT_OF_ROWS = 50;

/** More than one archive may hold. */
export class ArchiveTooLargeError extends Error {
  override readonly name = 'ArchiveTooLargeError';
}

/**
 * Receives the progress, 0 to 100, at least with every table page and file; throws when the archive is no longer
 * wanted.
 */
export type SeeProgress = (percent: number) => Promise<void>;

/** What an archive has. */
export interface ArchiveContents {
  /** By table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly files: number;
  /** Keys of files that rows name and the storage does not have. */
  readonly missing: readonly string[];
}

interface Archive {
  readonly writer: BackupWriter;
  readonly userId: number;
  readonly see: SeeProgress;
  readonly rows: Record<string, number>;
  /** Keys of files that rows name. */
  readonly fileKeys: Set<string>;
  readonly maxBytes: number;
  bytes: number;
}

/**
 * Writes everything of an account into an archive: the rows of each table, one JSON object a line, and the files that they
 * name. Never more than a piece, a page of rows and the keys of the files is in memory.
 */
@Injectable()
export class AccountArchiveService {
  constructor(
    private readonly rows: AccountRowsRepository,
    private readonly storage: FileStorage,
    private readonly config: DatabaseConfig,
  ) {}

  /**
   * @param use is given the path of the archive, which is deleted afterwards
   * @throws ArchiveTooLargeError
   */
  async with(userId: number, see: SeeProgress, use: (path: string) => Promise<void>): Promise<void> {
    const folder = uploadsFolder(this.config);
    await mkdir(folder, { recursive: true });
    const path = join(folder, `export-${randomUUID()}.tar.gz`);
    try {
      await this.write(path, userId, { see, maxBytes: MAX_BYTES });
      await use(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  /**
   * Writes an archive to a file. It has its name once it is complete; until then it is a temporary file in the same
   * folder.
   *
   * @param path of a file that is not there yet
   * @param options.maxBytes before packing; left out: as much as there is
   * @throws BackupError when there is a file already; ArchiveTooLargeError
   */
  async write(
    path: string,
    userId: number,
    { see, maxBytes = Infinity }: { readonly see: SeeProgress; readonly maxBytes?: number },
  ): Promise<ArchiveContents> {
    const writer = await BackupWriter.open(path);
    let isWhole = false;
    try {
      const archive: Archive = { writer, userId, see, rows: {}, fileKeys: new Set(), maxBytes, bytes: 0 };
      await this.addRows(archive);
      const missing = await this.addFiles(archive, `${path}.file`);
      const about = { exported_at: new Date().toISOString(), rows: archive.rows, missing_files: missing };
      await writer.add('about.json', Buffer.from(JSON.stringify(about, null, 2)));
      await writer.close();
      isWhole = true;
      return { rows: archive.rows, files: archive.fileKeys.size - missing.length, missing };
    } finally {
      if (!isWhole) await writer.discard();
      await rm(`${path}.file`, { force: true });
    }
  }

  private async addRows(archive: Archive): Promise<void> {
    const rows = await this.rows.open(archive.userId);
    try {
      for (const [index, table] of rows.tables.entries()) {
        const percent = Math.floor((index / rows.tables.length) * PERCENT_OF_ROWS);
        await this.addTable(archive, rows, table, percent);
      }
    } finally {
      await rows.close();
    }
  }

  private async addTable(
    archive: Archive,
    rows: AccountRows,
    table: AccountTable,
    percent: number,
  ): Promise<void> {
    let held: string[] = [];
    let heldBytes = 0;
    let number = 0;
    const write = async () => {
      if (held.length === 0) return;
      const name = `tables/${table.name}/${String(++number).padStart(6, '0')}.ndjson`;
      const content = Buffer.from(`${held.join('\n')}\n`);
      grow(archive, content.length);
      await archive.writer.add(name, content);
      await archive.see(percent);
      archive.rows[table.name] = (archive.rows[table.name] ?? 0) + held.length;
      held = [];
      heldBytes = 0;
    };
    for await (const page of rows.of(table)) {
      for (const row of page) {
        rememberFiles(archive, row);
        held.push(row);
        heldBytes += row.length;
      }
      if (heldBytes >= PIECE_BYTES) await write();
    }
    await write();
  }

  /** Returns the keys of files that the storage does not have. */
  private async addFiles(archive: Archive, temporary: string): Promise<string[]> {
    const missing: string[] = [];
    let done = 0;
    for (const key of archive.fileKeys) {
      if (!(await this.fetch(key, temporary))) missing.push(key);
      else {
        const { size } = await stat(temporary);
        grow(archive, size);
        await archive.writer.addStream(`files/${key}`, createReadStream(temporary), size);
      }
      const share = ++done / archive.fileKeys.size;
      await archive.see(PERCENT_OF_ROWS + Math.floor(share * (99 - PERCENT_OF_ROWS)));
    }
    return missing;
  }

  /** Its size has to be known before it is written, and the storage does not say it. */
  private async fetch(key: string, to: string): Promise<boolean> {
    try {
      await pipeline(await this.storage.get(key), createWriteStream(to, { mode: 0o600 }));
      return true;
    } catch (error) {
      if (error instanceof FileMissingError) return false;
      throw error;
    }
  }
}

function grow(archive: Archive, bytes: number): void {
  archive.bytes += bytes;
  if (archive.bytes > archive.maxBytes)
    throw new ArchiveTooLargeError(`the archive would have more than ${archive.maxBytes} bytes`);
}

/** Older archives are no part of a new one. */
function rememberFiles({ userId, fileKeys }: Archive, row: string): void {
  if (!row.includes('_key"')) return;
  const { recording_key: recording, file_key: file } = JSON.parse(row) as Record<string, unknown>;
  for (const key of [recording, file]) {
    if (typeof key !== 'string' || key.startsWith('exports/')) continue;
    if (filePrefixesOf(userId).some((prefix) => key.startsWith(prefix))) fileKeys.add(key);
  }
}
