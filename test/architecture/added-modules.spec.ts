import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { sourcesIn } from './sql-uses.js';

/** The module that the guide has its readers copy. */
const COPIED = 'do-not-call';
const NAMES = /do-not-call|do_not_call|doNotCall/;

/** Files that others have written about it, and that a new module would not need. */
const USES: Readonly<Record<string, string>> = {
  'src/common/auth/scopes.ts':
    'open to keys of calls; a module without a line needs `read`, and `admin` for all but GET',
  'src/i18n/calls.texts.ts': 'calls refuse with words of their own',
};

describe('adding a module', () => {
  it('touches five files outside of its folder, which the guide names', async () => {
    const guide = await readFile('docs/how-to.md', 'utf8');
    const section = /^## Add a module to Prosa itself\n([^]*?)(?=^## |(?![^]))/m.exec(guide)?.[1] ?? '';
    expect(section).toContain(`src/modules/${COPIED}`);
    const named = [...section.matchAll(/^\d\. `([^`]+)`/gm)].map(([, file = '']) => file);
    expect(named).toHaveLength(5);

    // Other modules that use it say so by themselves, and migrations are history.
    const inSources = [...sourcesIn(new URL('../../src/', import.meta.url))]
      .filter(([file, source]) => !/^(modules|database\/migrations)\//.test(file) && NAMES.test(source))
      .map(([file]) => `src/${file}`);
    const outside = ['.dependency-cruiser.cjs', 'test/support/belongings.ts'];
    for (const file of outside) expect(await readFile(file, 'utf8')).toMatch(NAMES);
    const touched = [...inSources, ...outside].filter((file) => USES[file] === undefined);
    expect(touched.filter((file) => !named.includes(file))).toEqual([]);
  });
});
