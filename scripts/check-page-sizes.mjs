// `npm run check:pages`: what browsers load of the pages, compressed as the server sends it, against its limits.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfNeeded } from './build-if-needed.mjs';

const DIST = join(dirname(fileURLToPath(import.meta.url)), '..', 'web', 'dist');
/** What a module imports before it runs, as the bundler writes it. */
const IMPORTS = /(?:\bfrom|\bimport)\s*["'`](\.{1,2}\/[^"'`]+\.js)["'`]/g;

/** What it imports when it is asked for. */
const LATER_IMPORTS = /\bimport\(\s*["'`](\.{1,2}\/[^"'`]+\.js)["'`]/g;

/** Each: what it is, the most kB, and the files. */
const LIMITS = [
  { what: 'widget before it is opened', maxKb: 2.05, files: () => ['widget/widget.js'] },
  {
    what: 'panel of the widget',
    maxKb: 25,
    files: () => withImports(fileOf('widget/widget-assets', /^panel-.*\.js$/)),
  },
  {
    what: 'voice of the widget',
    maxKb: 8,
    files: () => {
      const panel = new Set(withImports(fileOf('widget/widget-assets', /^panel-.*\.js$/)));
      const voice = withImports(fileOf('widget/widget-assets', /^call-view-.*\.js$/));
      return voice.filter((file) => !panel.has(file));
    },
  },
  { what: 'console, first page', maxKb: 220, files: () => ofPage('console/index.html') },
  {
    what: 'console, largest further page',
    maxKb: 60,
    files: () => largest(furtherPages('console/index.html')),
  },
];

await buildIfNeeded({ server: false, pages: true });
const lines = LIMITS.map(({ what, maxKb, files }) => {
  const kb = sizeKb(files());
  return { what, kb, maxKb, isOver: kb > maxKb };
});
for (const { what, kb, maxKb, isOver } of lines) {
  console.log(`${isOver ? 'TOO LARGE ' : ''}${what}: ${kb.toFixed(1)} kB of ${maxKb}`);
}
if (lines.some(({ isOver }) => isOver)) process.exit(1);

/** Brotli where the build has made it, as for every text. */
function sizeKb(files) {
  const bytes = files.map((file) => {
    const path = join(DIST, file);
    return (statSync(`${path}.br`, { throwIfNoEntry: false }) ?? statSync(path)).size;
  });
  return bytes.reduce((sum, size) => sum + size, 0) / 1_000;
}

function fileOf(folder, name) {
  const found = readdirSync(join(DIST, folder)).find((file) => name.test(file));
  if (!found) throw new Error(`${folder} has no ${name}`);
  return `${folder}/${found}`;
}

/** A module and all that it imports at once. */
function withImports(file, seen = new Set()) {
  if (seen.has(file)) return [];
  seen.add(file);
  const imported = [...readFileSync(join(DIST, file), 'utf8').matchAll(IMPORTS)].map(([, name]) =>
    join(dirname(file), name),
  );
  return [file, ...imported.flatMap((name) => withImports(name, seen))];
}

/** What a page names, and what that imports. */
function ofPage(page) {
  const named = [
    ...readFileSync(join(DIST, page), 'utf8').matchAll(/(?:src|href)="\/app\/([^"]+\.(?:js|css))"/g),
  ];
  const files = named.map(([, name]) => `${dirname(page)}/${name}`);
  return [page, ...new Set(files.flatMap((file) => (file.endsWith('.js') ? withImports(file) : [file])))];
}

/** What comes with each module that is imported later, beyond what is there when it is: pages, and parts of pages. */
function furtherPages(page) {
  return furtherModules(new Set(ofPage(page)), new Set());
}

function furtherModules(present, seen) {
  const files = [...present].filter((file) => file.endsWith('.js'));
  const later = [...new Set(files.flatMap(importedLater))].filter(
    (file) => !present.has(file) && !seen.has(file),
  );
  // All of them before what they import themselves: what two pages import is a page of its own.
  for (const file of later) seen.add(file);
  return later.flatMap((file) => {
    const added = withImports(file).filter((name) => !present.has(name));
    return [added, ...furtherModules(new Set([...present, ...added]), seen)];
  });
}

function importedLater(file) {
  return [...readFileSync(join(DIST, file), 'utf8').matchAll(LATER_IMPORTS)].map(([, name]) =>
    join(dirname(file), name),
  );
}

function largest(pages) {
  return pages.sort((a, b) => sizeKb(b) - sizeKb(a))[0] ?? [];
}
