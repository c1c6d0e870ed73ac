import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the build puts them; a run from source takes those of the package. */
const BUILT_FOLDER = fileURLToPath(new URL('./cmaps/', import.meta.url));
const FILE_NAME = /^[\w-]+\.bcmap$/;

function folder(): string {
  if (existsSync(BUILT_FOLDER)) return BUILT_FOLDER;
  return join(dirname(createRequire(import.meta.url).resolve('pdf.js-extract')), 'cmaps');
}

/** Gives pdf.js the predefined character maps, without which East Asian fonts that are not embedded cannot be decoded. */
export class CharacterMapFactory {
  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    // The name comes from the document.
    if (kind !== 'cMapUrl' || !FILE_NAME.test(filename)) throw new Error(`there is no ${kind} ${filename}`);
    return new Uint8Array(await readFile(join(folder(), filename)));
  }
}
