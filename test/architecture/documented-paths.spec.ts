import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const DOCS = readdirSync('docs').filter((name) => name.endsWith('.md'));
const PAGES = ['README.md', 'CONTRIBUTING.md', ...DOCS.map((name) => `docs/${name}`)];
const PATH = /`((?:src|test|scripts|docker|web|bench|examples|clients)\/[^`\s<>*…]*)`/g;

describe('the pages for people', () => {
  it.each(PAGES)('%s names only files and folders that are there', (page) => {
    const named = [...readFileSync(page, 'utf8').matchAll(PATH)].map(([, path = '']) => path);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('the groups of the mutation tests', () => {
  it('name only files that are there', () => {
    const show = "import('./scripts/mutation-groups.mjs').then((m) => console.log(JSON.stringify(m.GROUPS)))";
    const groups = JSON.parse(execFileSync(process.execPath, ['-e', show], { encoding: 'utf8' })) as Record<
      string,
      { files: string[]; specs?: string[] }
    >;
    const named = Object.values(groups).flatMap(({ files, specs = [] }) => [...files, ...specs]);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('the benches', () => {
  it('load only modules of the product that are there', () => {
    const files = readdirSync('bench', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const loaded = files.flatMap((name) =>
      [...readFileSync(`bench/${name}`, 'utf8').matchAll(/fromDist<[^]*?>\(\s*'([^']+)\.js'/g)].map(
        ([, path = '']) => `src/${path}.ts`,
      ),
    );
    expect(loaded.length).toBeGreaterThan(5);
    expect(loaded.filter((path) => !existsSync(path))).toEqual([]);
  });
});
