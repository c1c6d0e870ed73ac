// `npm run client`: writes docs/reference/openapi.json from the routes, and generates the TypeScript client from it. With
// --check it only compares the document.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfNeeded } from './build-if-needed.mjs';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const committed = join(root, 'docs/reference/openapi.json');

await buildIfNeeded();
const document = documentOfRoutes();
if (!process.argv.includes('--check')) {
  writeFileSync(committed, document);
  await buildIfNeeded({ server: false, client: true });
} else if (readFileSync(committed, 'utf8') !== document) {
  console.error('docs/reference/openapi.json differs from the routes. Run: npm run client');
  process.exitCode = 1;
}

/** Needs no database: only the routes are read. */
function documentOfRoutes() {
  const run = spawnSync(process.execPath, [join(root, 'dist/cli/openapi.js')], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.status !== 0) throw new Error(`the OpenAPI document was not written: ${run.stderr}`);
  return `${JSON.stringify(JSON.parse(run.stdout), null, 2)}\n`;
}
