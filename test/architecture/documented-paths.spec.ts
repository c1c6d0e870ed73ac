import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const DOCS = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...DOCS.map((name) => `docs/${name}`)];
const PATH = /`((?:src|packages|test|scripts|docker|web|bench|examples|clients)\/[^`\s<>*…]*)`/g;

/** Files and folders that readers create with the commands of the page. */
const CREATED = ['src/modules/tags', 'src/items.controller.ts'];

const isThere = (path: string) => existsSync(path) || CREATED.includes(path);

describe('the pages for people', () => {
  it.each(PAGES)('%s names only files and folders that are there', (page) => {
    const named = [...readFileSync(page, 'utf8').matchAll(PATH)].map(([, path = '']) => path);
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });

  it.each(PAGES)('%s links only to files that are there', (page) => {
    const linked = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)];
    const missing = linked
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(join(dirname(page), path)));
    expect(missing).toEqual([]);
  });

  it.each(PAGES)('%s names only commands that package.json has', (page) => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    const named = [...readFileSync(page, 'utf8').matchAll(/\bnpm run ([a-z][\w:-]*)/g)];
    expect(named.map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
  });

  it.each(PAGES)('%s runs only tests that are there', (page) => {
    const named = [...readFileSync(page, 'utf8').matchAll(/\bnpm test -- ([\w./-]+)/g)];
    const specs = execFileSync('git', ['ls-files', '*.spec.ts', '*.spec.tsx'], { encoding: 'utf8' });
    const isTest = (path: string) => specs.includes(path) || isThere(path);
    expect(named.map(([, path = '']) => path).filter((path) => !isTest(path))).toEqual([]);
  });

  it('are all listed in the index, docs/README.md', () => {
    const index = readFileSync('docs/README.md', 'utf8');
    expect(DOCS.filter((name) => name !== 'README.md' && !index.includes(`](${name})`))).toEqual([]);
  });
});

describe('the page of the architecture', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const quoted = [...page.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  const sources = ['src', 'packages'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );

  it('names files without their folder only where there is one of that name', () => {
    const files = quoted.filter((code) => /^[a-z][\w.-]*\.ts$/.test(code) && !code.startsWith('x.'));
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !sources.some((source) => basename(source) === file))).toEqual([]);
  });

  it('names only classes and types that are there', () => {
    const names = quoted.flatMap((code) => /^([A-Z][a-z]+(?:[A-Z][a-z]+)+)(?:\.\w+)?$/.exec(code)?.[1] ?? []);
    expect(names.length).toBeGreaterThan(20);
    const text = sources.map((source) => readFileSync(source, 'utf8')).join('\n');
    const isDeclared = (name: string) =>
      new RegExp(`\\b(?:class|interface|type|const) ${name}\\b`).test(text);
    expect(names.filter((name) => !isDeclared(name))).toEqual([]);
  });

  it('has a place in the code for what the contract says', () => {
    const table = page.split('## From the contract to the code')[1]?.split('\n## ')[0] ?? '';
    const rows = table
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2);
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.filter((row) => !/`(?:src\/[^`]+|x\.repository\.ts)`/.test(row))).toEqual([]);
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
