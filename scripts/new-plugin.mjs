#!/usr/bin/env node
// Makes a plugin with an entity, routes, texts and a contract test that passes. The folder may stand for the name.
//   in a checkout of Prosa:             npm run plugin:new -- name [folder]
//   where the package is installed:     npx prosa-plugin-new name [folder]
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const template = join(root, 'scripts', 'plugin-template');
/** Only a checkout has the sources. The archive that `npm pack` writes has what is built of them. */
const isCheckout = existsSync(join(root, 'src'));
const NAME = /^(?=.{1,30}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const COMMAND = isCheckout ? 'npm run plugin:new --' : 'npx prosa-plugin-new';

const [first = '', second] = process.argv.slice(2);
const isFolder = /[/\\]/.test(first);
const name = isFolder ? basename(first) : first;
const folder = second ?? (isFolder ? first : isCheckout ? join('plugins', name) : name);
if (!NAME.test(name)) {
  fail(
    name === ''
      ? `Name the plugin: ${COMMAND} name [folder]`
      : `${name} is no name for a plugin: use lower-case letters, digits and single hyphens, 30 at most.`,
  );
}
const target = resolve(folder);
if (existsSync(target)) fail(`${target} is there already: name another folder after the name of the plugin.`);

const words = name.split('-').map((word) => word[0].toUpperCase() + word.slice(1));
const { version, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** A path as an import and a JSON file write it. */
const pathFrom = (from, to = root) => {
  const path = relative(from, to).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
};
/** How the plugin finds its compiler, the types of Prosa and the test helper. */
const FROM_CHECKOUT = {
  compiler: `node ${pathFrom(target)}/node_modules/typescript/bin/tsc`,
  paths: `,\n    "paths": { "prosa/plugin": ["${pathFrom(target)}/types/plugins/api.d.ts"] }`,
  testing: `${pathFrom(join(target, 'test'))}/dist/plugins/testing.js`,
};
const FROM_PACKAGE = { compiler: 'tsc', paths: '', testing: 'prosa/plugin/testing' };
const VALUES = {
  ...(isCheckout ? FROM_CHECKOUT : FROM_PACKAGE),
  name,
  version,
  prefix: `${name.replaceAll('-', '_')}_`,
  title: words.join(' '),
  class: words.join(''),
};

const files = readdirSync(template, { recursive: true }).filter((file) => file.endsWith('.txt'));
for (const file of files) {
  const text = readFileSync(join(template, file), 'utf8').replace(
    /__(name|version|prefix|title|class|compiler|paths|testing)__/g,
    (_whole, key) => VALUES[key],
  );
  const path = join(target, file.replace(/\.txt$/, '').replace(/^gitignore$/, '.gitignore'));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const shown = relative(process.cwd(), target) || '.';
const named = shown.startsWith('.') ? shown : `./${shown}`;
const start = isCheckout
  ? `PROSA_PLUGINS=${named} npm start`
  : `PROSA_PLUGINS=${named} node ${relative(process.cwd(), join(root, 'dist', 'main.js'))}`;
const before = isCheckout
  ? 'Build Prosa and the plugin, test it, and start Prosa with it:\n\n  npm run build'
  : `Install typescript@${devDependencies.typescript} if it is missing. Build the plugin, test it, and start Prosa with it:\n`;
console.log(`The plugin ${name} is in ${shown}. ${before}
  npm run build --prefix ${shown}
  npm test --prefix ${shown}
  ${start}
`);

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
