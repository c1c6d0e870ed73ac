// `npm run plugin:new -- name [folder]`: makes a plugin with an entity, routes, texts and a contract test that passes.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const template = join(root, 'scripts', 'plugin-template');
const NAME = /^(?=.{1,30}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

const [name = '', folder = join('plugins', name)] = process.argv.slice(2);
if (!NAME.test(name)) {
  fail(
    name === ''
      ? 'Name the plugin: npm run plugin:new -- name [folder]'
      : `${name} is no name for a plugin: use lower-case letters, digits and single hyphens, 30 at most.`,
  );
}
const target = resolve(folder);
if (existsSync(target)) fail(`${target} is there already: name another folder after the name of the plugin.`);

const words = name.split('-').map((word) => word[0].toUpperCase() + word.slice(1));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** A path as an import and a JSON file write it. */
const pathFrom = (from) => {
  const path = relative(from, root).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
};
const VALUES = {
  name,
  version,
  prefix: `${name.replaceAll('-', '_')}_`,
  title: words.join(' '),
  class: words.join(''),
  prosa: pathFrom(target),
  test_prosa: pathFrom(join(target, 'test')),
};

const files = readdirSync(template, { recursive: true }).filter((file) => file.endsWith('.txt'));
for (const file of files) {
  const text = readFileSync(join(template, file), 'utf8').replace(
    /__(name|version|prefix|title|class|prosa|test_prosa)__/g,
    (_whole, key) => VALUES[key],
  );
  const path = join(target, file.replace(/\.txt$/, '').replace(/^gitignore$/, '.gitignore'));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const shown = relative(process.cwd(), target) || '.';
console.log(`The plugin ${name} is in ${shown}. Build Prosa and the plugin, test it, and start Prosa with it:

  npm run build
  npm run build --prefix ${shown}
  npm test --prefix ${shown}
  PROSA_PLUGINS=${shown.startsWith('.') ? shown : `./${shown}`} npm start
`);

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
