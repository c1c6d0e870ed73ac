import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emptyDatabase } from '../support/database.js';
import { imageFolder } from '../support/image-folder.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';

const run = promisify(execFile);
const TSC = resolve('node_modules/typescript/bin/tsc');
const EXAMPLE = 'examples/appointments/src';
const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

/** The block of commands in the guide that begins with the given one. */
async function guideCommands(first: string): Promise<string[]> {
  const guide = await readFile('docs/how-to/plugins.md', 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code = '']) => code.trim());
  return blocks.find((code) => code.startsWith(first))?.split('\n') ?? [];
}

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

  it('lets an author without a checkout make, build, test and start a plugin, as docs/how-to/plugins.md describes', async () => {
    const commands = await guideCommands('npm init --yes');
    // The archive is unpacked already, and a test must not need the registry.
    expect(commands.splice(0, 2)).toEqual(['npm init --yes', 'npm install ./prosa-*.tgz typescript@6']);
    const start = 'PROSA_PLUGINS=./shop-orders node node_modules/prosa/dist/main.js';
    expect(commands.pop()).toBe(start);
    await linkPrograms();
    const database = await emptyDatabase();
    try {
      const { PATH = '', HOME = '' } = process.env;
      const environment = { DATABASE_URL: database.url, ENCRYPTION_KEY };
      const { stdout } = await run('bash', ['-ec', commands.join('\n')], {
        cwd: plugin,
        env: { PATH, HOME, npm_config_offline: 'true', ...environment },
      });
      expect(stdout).toContain(start);
      expect(stdout).toMatch(/^(#|ℹ) pass 4$/m);
      const prosa = ProsaProcess.start(
        { ...environment, PROSA_PLUGINS: './shop-orders', PORT: '0' },
        'node_modules/prosa/dist/main.js',
        plugin,
      );
      try {
        const url = await prosa.ready();
        expect((await fetch(`${url}/api/user/shop-orders`)).status).toBe(401);
        expect((await fetch(`${url}/api/user/shop-order`)).status).toBe(404);
      } finally {
        expect(await prosa.stop()).toBe(0);
      }
    } finally {
      await database.drop();
    }
  }, 480_000);

  /** Links the programs of the two packages, as `npm install` does. */
  async function linkPrograms(): Promise<void> {
    const { bin } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
      bin: Record<string, string>;
    };
    const programs = join(plugin, 'node_modules', '.bin');
    await mkdir(programs, { recursive: true });
    for (const [name, file] of Object.entries(bin)) {
      await chmod(join(installed, file), 0o755);
      await symlink(join('..', 'prosa', file), join(programs, name));
    }
    await symlink(TSC, join(programs, 'tsc'));
  }

  it('is written by the image as well, with the types of prosa/plugin and the generator of plugins', async () => {
    const [command = ''] = await guideCommands('docker run --rm prosa-api');
    const image = await imageFolder();
    const folder = await mkdtemp(join(tmpdir(), 'prosa-image-package-'));
    try {
      const script = /'(.*)'/.exec(command)?.[1] ?? '';
      const here = script.replace('/tmp', folder).replace('/app', image).replace('cat', 'tar -tzf');
      const { stdout } = await run('sh', ['-c', here]);
      expect(stdout.split('\n')).toEqual(
        expect.arrayContaining(
          ['dist/main.js', 'dist/plugins/testing.js', 'scripts/new-plugin.mjs', 'types/plugins/api.d.ts'].map(
            (file) => `package/${file}`,
          ),
        ),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
      await rm(image, { recursive: true, force: true });
    }
  }, 120_000);
});
