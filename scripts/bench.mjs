// `npm run bench -- <name> [arguments]`: runs bench/<name>.ts on the built product.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfNeeded } from './build-if-needed.mjs';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'bench');
const [name, ...rest] = process.argv.slice(2);
const file = join(folder, `${name}.ts`);
if (!name || !existsSync(file)) {
  const names = readdirSync(folder)
    .filter((entry) => entry.endsWith('.ts'))
    .map((entry) => entry.slice(0, -3));
  console.error(`Usage: npm run bench -- <name>\nThere are: ${names.join(', ')}`);
  process.exit(1);
}
await buildIfNeeded();
const run = spawnSync(process.execPath, ['--import', 'tsx', file, ...rest], { stdio: 'inherit' });
process.exit(run.status ?? 1);
