// `npm run module:new -- plural [singular]`: adds a resource to Prosa, with routes, table, texts and tests that pass, as
// `npm run module:new -- tags` or `npm run module:new -- entries entry`. It also writes the lines that lists in other files need.
// Then edit the texts and the fields, and run: npm run client
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { addTo } from './new-module/add-to.mjs';
import { REGISTRATIONS } from './new-module/registrations.mjs';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const template = join(root, 'scripts', 'module-template');
const NAME = /^(?=.{2,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

const [plural = '', singular = plural.replace(/s$/, '')] = process.argv.slice(2);
if (!NAME.test(plural) || !NAME.test(singular) || plural === singular) {
  fail(
    'Name the resource in plural and, where that is more than an s, in singular: npm run module:new -- entries entry',
  );
}
const folder = join(root, 'src', 'modules', plural);
if (existsSync(folder)) fail(`src/modules/${plural} is there already: choose another name.`);

const pascal = (name) =>
  name
    .split('-')
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join('');
const camel = (name) => pascal(name)[0].toLowerCase() + pascal(name).slice(1);
const spoken = (name) => name.replaceAll('-', ' ');
const capital = (words) => words[0].toUpperCase() + words.slice(1);
const VALUES = {
  plural,
  singular,
  Plural: pascal(plural),
  Singular: pascal(singular),
  camelPlural: camel(plural),
  camelSingular: camel(singular),
  table: plural.replaceAll('-', '_'),
  word: spoken(singular),
  words: spoken(plural),
  Word: capital(spoken(singular)),
  Words: capital(spoken(plural)),
  time: String(Date.now()),
  release: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
};
const filled = (text) => text.replace(/__([A-Za-z]+)__/g, (whole, key) => VALUES[key] ?? whole);

const files = readdirSync(join(template, 'module'), { recursive: true }).filter((file) =>
  file.endsWith('.txt'),
);
for (const file of files) {
  await write(join('src/modules', plural, filled(file).replace(/\.txt$/, '')), read(join('module', file)));
}
await write(`src/database/migrations/${VALUES.time}-${plural}.ts`, read('migration.ts.txt'));
await write(`test/contract/${plural}.contract.spec.ts`, read('contract.spec.ts.txt'));

for (const { file, additions } of REGISTRATIONS) {
  let text = readFileSync(join(root, file), 'utf8');
  for (const addition of additions) text = addTo(text, { ...addition, line: filled(addition.line), file });
  await write(file, text);
}

console.log(`
The module ${plural} is in src/modules/${plural}. Next:

  npm run client                      the generated client
  npm test -- src/modules/${plural}   its tests
  npm run check

Edit the fields in the entity, the migration, dto/ and the contract test, and the words in ${plural}.texts.ts and in
web/console/src/pages/audit/. A route that needs another scope than read or admin gets @NeedsScope.
`);

function read(file) {
  return filled(readFileSync(join(template, file), 'utf8'));
}

async function write(file, text) {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  const options = { ...(await resolveConfig(path)), filepath: path };
  writeFileSync(path, await format(text, options));
  console.log(file);
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
