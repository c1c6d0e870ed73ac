// `npm run client`: makes the TypeScript client anew from the routes. With --check it only says whether it would differ.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { buildIfNeeded } from './build-if-needed.mjs';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const committed = join(root, 'clients/typescript/src');
const isCheck = process.argv.includes('--check');

const folder = mkdtempSync(join(tmpdir(), 'prosa-client-'));
try {
  const document = join(folder, 'openapi.json');
  const text = await documentOfRoutes();
  writeFileSync(document, text);
  const made = isCheck ? join(folder, 'src') : committed;
  const options = (path) => ({
    output: { path, clean: true, module: { extension: '.js' } },
    logs: { level: 'silent', file: false },
  });
  await createClient({
    ...options(made),
    input: document,
    // Users of the package say by `client` where Prosa is.
    plugins: [{ name: '@hey-api/client-fetch', includeInEntry: true }, '@hey-api/typescript', '@hey-api/sdk'],
  });
  copyFileSync(join(root, 'scripts/client/json-headers.ts'), join(made, 'json-headers.ts'));
  appendFileSync(
    join(made, 'client.gen.ts'),
    "\nimport { withJsonHeaders } from './json-headers.js';\nclient.interceptors.request.use(withJsonHeaders);\n",
  );
  const plain = join(folder, 'plain.json');
  writeFileSync(plain, JSON.stringify(withValuesInPlace(JSON.parse(text))));
  await createClient({ ...options(join(folder, 'schemas')), input: plain, plugins: ['@hey-api/schemas'] });
  copyFileSync(join(folder, 'schemas', 'schemas.gen.ts'), join(made, 'schemas.gen.ts'));
  if (isCheck) {
    const differing = differencesOf(made, committed);
    if (differing.length > 0) {
      console.error(`The client is not that of the routes: ${differing.join(', ')}. Run: npm run client`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Without a database: nothing but the routes is read. */
async function documentOfRoutes() {
  await buildIfNeeded();
  const run = spawnSync(process.execPath, [join(root, 'dist/cli/openapi.js')], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.status !== 0) throw new Error(`the document was not made: ${run.stderr}`);
  return run.stdout;
}

function differencesOf(one, other) {
  const files = (where) =>
    readdirSync(where, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(where.length + 1));
  const names = new Set([...files(one), ...files(other)]);
  const contentOf = (where, name) =>
    files(where).includes(name) ? readFileSync(join(where, name), 'utf8') : null;
  return [...names].filter((name) => contentOf(one, name) !== contentOf(other, name)).sort();
}

/** For the forms of the console, whose rules name the values of a field in its own schema. */
function withValuesInPlace(document) {
  const valuesOf = (ref) => document.components.schemas[ref.slice(ref.lastIndexOf('/') + 1)]?.enum;
  const placed = (part) => {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map(placed);
    const { $ref, anyOf, ...rest } = part;
    const [first, second] = anyOf ?? [];
    if (typeof $ref === 'string' && valuesOf($ref))
      return { ...placed(rest), type: 'string', enum: valuesOf($ref) };
    if (second?.type === 'null' && first.$ref && valuesOf(first.$ref)) {
      return { ...placed(rest), type: ['string', 'null'], enum: [...valuesOf(first.$ref), null] };
    }
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, placed(value)]));
  };
  return placed(document);
}
