import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { TEST_ENCRYPTION_KEY } from '../support/app.js';
import { cloneDatabase } from '../support/database.js';
import { bundledModules } from '../support/loaded-modules.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';

/** What packages outside of the bundle use for themselves; none of them keeps anything of Prosa. */
const USED_OUTSIDE = /^node_modules\/(debug|fast-safe-stringify|ms|once|wrappy)\//;
/** Folders in which packages have themselves once more, for another kind of import. */
const BUILDS = /\/(cjs|commonjs|esm|esm5|es5|es6|esm2015|esnext|mjs)\//;

const ROOT = JSON.stringify(`${process.cwd()}/`);
const LOAD = `export async function load(url, context, next) {
  process._rawDebug('FILE ' + decodeURI(url).replace('file://' + ${ROOT}, ''));
  return next(url, context);
}`;
/** Tells of each module that Node loads, and at the end of each script, by its path. */
const TELLING_FILES = `data:text/javascript,${encodeURIComponent(`
  import { createRequire, register } from 'node:module';
  register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(LOAD))});
  const { cache } = createRequire(${ROOT});
  process.on('exit', () => {
    for (const path of Object.keys(cache)) process._rawDebug('FILE ' + path.replace(${ROOT}, ''));
  });
`)}`;

/** What a file of the bundle imports as soon as it is loaded, with what its chunks import. */
async function importsOf(file: string, seen = new Set<string>()): Promise<string[]> {
  if (seen.has(file)) return [];
  seen.add(file);
  const code = await readFile(`dist/bundle/${file}`, 'utf8');
  const names = [...code.matchAll(/^(?:import|export) (?:[^'"(]* from )?["']([^'"]+)["'];?$/gm)].map(
    ([, name = '']) => name,
  );
  const chunks = names.filter((name) => name.startsWith('./')).map((name) => name.slice(2));
  const ofChunks = await Promise.all(chunks.map((chunk) => importsOf(chunk, seen)));
  return [...names, ...ofChunks.flat()];
}

/** The programs of dist/, each with its packages in a few files (scripts/build-server.mjs). */
describe('bundled programs', () => {
  let modules: string[];

  beforeAll(async () => {
    await buildProduct();
    modules = [...(await bundledModules()).values()].flat();
  }, 120_000);

  it('hold no module of a package in two builds, whose states would differ', () => {
    const paths = new Map<string, string>();
    const twice = modules.filter((path) => {
      const name = path.replace(BUILDS, '/');
      const other = paths.get(name) ?? path;
      paths.set(name, path);
      return other !== path;
    });
    expect(twice).toEqual([]);
  });

  it('hold every module once', () => {
    expect(modules.length).toBeGreaterThan(1_000);
    expect(new Set(modules).size).toBe(modules.length);
  });

  it('import no optional package before it is used, because an API may be installed without them', async () => {
    const { optionalDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
      optionalDependencies: Record<string, string>;
    };
    const optional = Object.keys(optionalDependencies);
    const entries = [...(await bundledModules()).keys()].filter((file) => !file.startsWith('chunk-'));
    expect(entries).toContain('main.js');
    const imports = await Promise.all(entries.map((file) => importsOf(file)));
    expect(imports.flat().length).toBeGreaterThan(20);
    expect(imports.flat().filter((name) => optional.some((each) => name.startsWith(each)))).toEqual([]);
  });

  it('load no second copy of what they hold', async () => {
    const database = await cloneDatabase();
    const prosa = ProsaProcess.start({
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      PROSA_ROLES: 'api,worker',
      PORT: '0',
      NODE_OPTIONS: `--import=${TELLING_FILES}`,
    });
    const url = await prosa.ready();
    // What is loaded late is so for a first request.
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect((await fetch(`${url}/docs-json`)).status).toBe(200);
    const body = '{"email":"unknown@example.com","password":"wrong"}';
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body })).status).toBe(401);
    expect(await prosa.stop()).toBe(0);
    await database.drop();

    const loaded = [...prosa.text.matchAll(/^FILE (.+)$/gm)].map(([, path = '']) => path);
    expect(loaded.some((path) => path.startsWith('dist/bundle/'))).toBe(true);
    expect(loaded.some((path) => path.startsWith('node_modules/pg/'))).toBe(true);
    const twice = loaded.filter((path) => modules.includes(path) && !USED_OUTSIDE.test(path));
    expect(twice).toEqual(['dist/main.js']);
  }, 120_000);

  it('are all that a person runs by npm', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    const programs = Object.values(scripts).flatMap((line) => /run\.mjs cli\/(\S+)/.exec(line)?.[1] ?? []);
    expect(programs.length).toBeGreaterThan(5);
    const lines = await Promise.all(programs.map((name) => readFile(`dist/cli/${name}.js`, 'utf8')));
    expect(lines).toEqual(programs.map((name) => `export * from '../bundle/cli-${name}.js';\n`));
  });
});
