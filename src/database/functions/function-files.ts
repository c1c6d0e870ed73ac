import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { ReleaseVersion } from '../stated-migration.js';

/** The oldest release whose statements the current texts serve; see `StatedMigration`. */
export const FUNCTIONS_OLDEST_RELEASE: ReleaseVersion = '0.4.0';

const FOLDER = new URL('./', import.meta.url);
const EXTENSION = '.sql';

/** An SQL function with its current text, and the triggers that call it. */
export interface FunctionFile {
  /** Area and file without the extension, as `billing/capture_hold`. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text in hexadecimal. */
  readonly checksum: string;
}

/** All functions of the schema, in the order of their names. */
export function functionFiles(): FunctionFile[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(EXTENSION))
    .map((path) => functionFile(path.slice(0, -EXTENSION.length).replaceAll('\\', '/')))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

export function functionFile(name: string): FunctionFile {
  return withChecksum(name, readFileSync(new URL(`${name}${EXTENSION}`, FOLDER), 'utf8'));
}

/** A file of this release or of another one, by its name and its text. */
export function withChecksum(name: string, text: string): FunctionFile {
  return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
}

/** Name of the SQL function that a file defines. Files of overloads have a suffix, as `chat/begin_turn.0.4.0`. */
export function functionNameOf({ name }: Pick<FunctionFile, 'name'>): string {
  const file = name.slice(name.lastIndexOf('/') + 1);
  return file.split('.', 1)[0] ?? file;
}
