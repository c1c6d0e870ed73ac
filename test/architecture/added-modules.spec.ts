import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { sourcesIn } from './sql-uses.js';

/** The module that the guide has its readers copy. */
const COPIED = 'do-not-call';
const NAMES = /do[-_]?not[-_]?call/i;

/** Files that others have written about it, and that a new module would not need. */
const USES: Readonly<Record<string, string>> = {
  'src/common/auth/scopes.ts':
    'open to keys of calls; a module without a line needs `read`, and `admin` for all but GET',
  'src/i18n/calls.texts.ts': 'calls refuse with words of their own',
  'test/support/route-needs.ts': 'as src/common/auth/scopes.ts',
  'test/contract/accounts.contract.spec.ts': 'a number of the list, by way of example',
  'test/contract/audit-log.contract.spec.ts': 'changes of the list, by way of example',
  'test/contract/make-call.contract.spec.ts': 'calls ask the list',
  'test/contract/number-verifications.contract.spec.ts': 'calls that prove numbers ask the list',
  'test/contract/phone-forms.contract.spec.ts': 'both forms of a number are one entry of the list',
  'test/integration/call-life.spec.ts': 'calls ask the list',
  'test/integration/campaign-refusals.spec.ts': 'calls ask the list',
  'test/integration/dialler-round-trips.spec.ts': 'claims ask the list',
  'test/integration/personal-data.spec.ts': 'it keeps telephone numbers, which are erased',
};

describe('adding a module', () => {
  it('touches five files outside of its folder, which the guide names', async () => {
    const guide = await readFile('docs/how-to/add-a-module.md', 'utf8');
    const section = /^## Add a module to Prosa itself\n([^]*?)(?=^## |(?![^]))/m.exec(guide)?.[1] ?? '';
    expect(section).toContain(`src/modules/${COPIED}`);
    const named = [...section.matchAll(/^\d\. `([^`]+)`/gm)].map(([, file = '']) => file);
    expect(named).toHaveLength(5);

    // Other modules that use it say so by themselves, and migrations are history.
    const inSources = [...sourcesIn(new URL('../../src/', import.meta.url))]
      .filter(([file, source]) => !/^(modules|database\/migrations)\//.test(file) && NAMES.test(source))
      .map(([file]) => `src/${file}`);
    const isOwn = new RegExp(`^(contract/${COPIED}\\.|architecture/added-modules\\.)`);
    const inTests = [...sourcesIn(new URL('../', import.meta.url), { specs: true })]
      .filter(([file, source]) => !isOwn.test(file) && NAMES.test(source))
      .map(([file]) => `test/${file}`);
    const outside = ['.dependency-cruiser.cjs', ...inSources, ...inTests];
    expect(await readFile('.dependency-cruiser.cjs', 'utf8')).toMatch(NAMES);
    expect(Object.keys(USES).filter((file) => !outside.includes(file))).toEqual([]);
    const touched = outside.filter((file) => USES[file] === undefined);
    expect(touched.filter((file) => !named.includes(file))).toEqual([]);
  });
});
