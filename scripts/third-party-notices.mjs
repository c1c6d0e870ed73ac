// `npm run notices`: lists every package that is installed to run Prosa, with its licence, from the lock file. With --check it
// only says whether THIRD-PARTY-NOTICES.md would differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const FILE = join(root, 'THIRD-PARTY-NOTICES.md');

const made = noticesOf(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
if (!process.argv.includes('--check')) writeFileSync(FILE, made);
else if (readFileSync(FILE, 'utf8') !== made) {
  console.error('THIRD-PARTY-NOTICES.md is not that of package-lock.json. Run: npm run notices');
  process.exitCode = 1;
}

function noticesOf({ packages }) {
  const rows = new Set();
  for (const [path, { version, license, dev, link }] of Object.entries(packages)) {
    // Packages for development alone are not part of what is installed with `npm ci --omit=dev`.
    if (path === '' || dev || link || !path.includes('node_modules/')) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    rows.add(`- ${name} ${version}: ${license ?? 'see the package'}`);
  }
  return `# Third-party notices

Prosa runs with the packages below, each under the licence it names; the full text is in the package. The list is made from
\`package-lock.json\` by \`npm run notices\`, and packages for development alone are left out.

${[...rows].sort((a, b) => (a < b ? -1 : 1)).join('\n')}

The build copies Adobe's character maps from the package pdf.js-extract to
\`dist/modules/knowledgebases/extraction/readers/pdf/cmaps\`: Copyright 1990-2009 Adobe Systems Incorporated, BSD-3-Clause.
`;
}
