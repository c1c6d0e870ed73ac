import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildProduct } from '../support/prosa-process.js';

const run = promisify(execFile);
const TSC = resolve('node_modules/typescript/bin/tsc');
const EXAMPLE = 'examples/appointments/src';

/** What an author of a plugin gets who installs the archive that `npm pack` writes. */
describe('the package prosa', () => {
  let outer: string;
  let plugin: string;
  let installed: string;

  beforeAll(async () => {
    await buildProduct({ pluginTypes: true });
    outer = await mkdtemp(join(tmpdir(), 'prosa-package-'));
    plugin = join(outer, 'plugin');
    installed = join(plugin, 'node_modules', 'prosa');
    await mkdir(installed, { recursive: true });
    const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', outer]);
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    await run('tar', ['-xzf', join(outer, filename), '-C', installed, '--strip-components=1']);
    // The dependencies of the package, which `npm install` would put there.
    await symlink(resolve('node_modules'), join(outer, 'node_modules'));
  }, 300_000);
  afterAll(() => rm(outer, { recursive: true, force: true }));

  it('holds the compiled server and no specifier that only the checkout resolves', async () => {
    const files = (await readdir(installed, { recursive: true })).filter((file) =>
      /^(dist|types)\/.*\.(js|d\.ts)$/.test(file),
    );
    expect(files).toContain('dist/main.js');
    expect(files.filter((file) => file.endsWith('.d.ts'))).toEqual(['types/plugins/api.d.ts']);
    const unresolvable: string[] = [];
    for (const file of files) {
      const code = await readFile(join(installed, file), 'utf8');
      if (/(?:\bfrom |\bimport\(|\bimport )['"](?:#|@prosa\/)/.test(code)) unresolvable.push(file);
    }
    expect(unresolvable).toEqual([]);
  });

  it('lets the example of a plugin compile against prosa/plugin', async () => {
    await cp(EXAMPLE, join(plugin, 'src'), { recursive: true });
    const compilerOptions = {
      target: 'ES2022',
      module: 'nodenext',
      moduleResolution: 'nodenext',
      strict: true,
      useDefineForClassFields: false,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      skipLibCheck: true,
      types: [],
      rootDir: 'src',
      outDir: 'dist',
    };
    await writeFile(join(plugin, 'package.json'), JSON.stringify({ type: 'module' }));
    await writeFile(join(plugin, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
    const { stdout } = await run(process.execPath, [TSC, '-p', plugin]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
    expect(await readdir(join(plugin, 'dist'))).toContain('plugin.js');
  }, 120_000);
});
