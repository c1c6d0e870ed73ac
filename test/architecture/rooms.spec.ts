import { describe, expect, it } from '@jest/globals';
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

const MOST_FILES = 18;
/** Grow by a file with each change of the database, with the texts of each area, and with each language. */
const LISTS = new Set([
  'src/database/migrations',
  'src/i18n',
  'src/common/spoken-text/sentences/abbreviations',
  'src/voice/hearing/hallucinations',
]);

describe('the folders of src and packages', () => {
  it(`hold at most ${MOST_FILES} files each, specs aside`, () => {
    const folders = ['src', 'packages']
      .flatMap((root) => readdirSync(root, { recursive: true, withFileTypes: true }))
      .filter(isFolder);
    const crowded = folders
      .map((folder) => join(folder.parentPath, folder.name))
      .filter((path) => !LISTS.has(path) && sourcesIn(path) > MOST_FILES);
    expect(crowded).toEqual([]);
  });
});

const isFolder = (entry: Dirent) => entry.isDirectory();

function sourcesIn(path: string): number {
  return readdirSync(path, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'),
  ).length;
}
