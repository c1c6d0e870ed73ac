// Writes types/plugins/api.d.ts: the types of `prosa/plugin` in one file. It declares types of the server and of its packages,
// and imports those of installed packages.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const declarations = join(root, 'types/.declarations');
const target = join(root, 'types/plugins/api.d.ts');
/** Specifiers that only the checkout resolves: entries of `imports` and workspaces. */
const UNRESOLVABLE = /(?:\bfrom |\bimport\()['"](?:#|@prosa\/)[^'"]*['"]/;

/** Writes a declaration file for each source that the plugin API reaches. */
function declare() {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.types.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

function rollUp() {
  const entry = join(declarations, 'src/plugins/api.d.ts');
  const silent = { default: { logLevel: 'none' } };
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: entry,
      compiler: {
        overrideTsconfig: {
          extends: join(root, 'tsconfig.json'),
          compilerOptions: {
            noEmit: true,
            paths: { '@prosa/*': [join(declarations, 'packages/*/src/index.d.ts')] },
          },
          include: [],
          files: [entry],
        },
      },
      apiReport: { enabled: false },
      docModel: { enabled: false },
      tsdocMetadata: { enabled: false },
      dtsRollup: { enabled: true, untrimmedFilePath: target },
      messages: { extractorMessageReporting: silent, tsdocMessageReporting: silent },
    },
  });
  const { succeeded } = Extractor.invoke(config, { localBuild: true });
  if (!succeeded) process.exit(1);
}

rmSync(join(root, 'types'), { recursive: true, force: true });
declare();
rollUp();
rmSync(declarations, { recursive: true });
const unresolvable = UNRESOLVABLE.exec(readFileSync(target, 'utf8'));
if (unresolvable) {
  console.error(`The types of prosa/plugin import what plugins do not have: ${unresolvable[0]}`);
  process.exit(1);
}
