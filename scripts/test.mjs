// `npm test -- [paths] [options of jest]`: runs tests by their paths. For a folder of src/modules its contract and integration
// tests run as well, which are in test/: `npm test -- src/modules/tools` also runs test/contract/tools.contract.spec.ts.
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

const FOLDERS = ['test/contract', 'test/integration'];

/** Spec files in test/ that are named after a module: `tools.contract.spec.ts`, `idempotent-tools.spec.ts`. */
function specsOf(argument) {
  const path = argument.replace(/\/+$/, '');
  if (!/(^|\/)src\/modules\/[\w-]+$/.test(path) || !statSync(path, { throwIfNoEntry: false })?.isDirectory())
    return [];
  const name = new RegExp(`(^|-)${basename(path)}[.-]`);
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => name.test(file) && file.endsWith('.spec.ts'))
      .map((file) => join(folder, file)),
  );
}

process.argv.push(...process.argv.slice(2).flatMap(specsOf));
await import('jest/bin/jest');
