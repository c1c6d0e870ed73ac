import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { sourcesIn } from './sql-uses.js';

/** The smallest complete module: what names it outside of its folder is what a new module needs. */
const MODULE = 'do-not-call';
const NAMES = /do[-_]?not[-_]?call/i;
const REGISTRATIONS = new URL('../../scripts/new-module/registrations.mjs', import.meta.url);

/** Files that others have written about it, and that a new module would not need. */
const USES: Readonly<Record<string, string>> = {
  'src/common/auth/scopes.ts':
    'open to keys of calls; a module without a line needs `read`, and `admin` for all but GET',
  'src/i18n/calls.texts.ts': 'calls refuse with words of their own',
  'test/support/route-needs.ts': 'as src/common/auth/scopes.ts',
  'test/contract/accounts.contract.spec.ts': 'a number of the list, by way of example',
  'test/contract/audit-log.contract.spec.ts': 'changes of the list, by way of example',
  'test/contract/list-sorts.contract.spec.ts': 'the order of the list, with that of other lists',
  'test/contract/make-call.contract.spec.ts': 'calls ask the list',
  'test/contract/number-verifications.contract.spec.ts': 'calls that prove numbers ask the list',
  'test/contract/phone-forms.contract.spec.ts': 'both forms of a number are one entry of the list',
  'test/integration/call-life.spec.ts': 'calls ask the list',
  'test/integration/campaign-refusals.spec.ts': 'calls ask the list',
  'test/integration/dialler-round-trips.spec.ts': 'claims ask the list',
  'test/security/destinations.spec.ts': 'a lead of the list keeps the reason',
  'test/pages/call-page.spec.ts': 'the page of a call has a button for the list',
  'test/pages/calls.spec.ts': 'a call back says that the list refuses it',
  'test/pages/daily-work.spec.ts': 'its table has dates that stay in one line',
  'test/pages/do-not-call.spec.ts': 'the page of the list; a module needs none',
  'test/pages/screens.spec.ts': 'as test/pages/do-not-call.spec.ts',
  'test/pages/tables.spec.ts': 'its table is sorted and changed as others are',
  'test/integration/personal-data.spec.ts': 'it keeps telephone numbers, which are erased',
  'test/support/personal-data.ts': 'as test/integration/personal-data.spec.ts',
};

interface Registration {
  readonly file: string;
}

describe('npm run module:new', () => {
  it('adds a line to each file outside of the folder that a module needs, and the guide names each', async () => {
    const { REGISTRATIONS: registrations } = (await import(REGISTRATIONS.href)) as {
      REGISTRATIONS: readonly Registration[];
    };
    const written = registrations.map(({ file }) => file);
    const guide = await readFile('docs/how-to/add-a-module.md', 'utf8');
    expect([...guide.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, file]) => file)).toEqual(written);

    // Other modules that use it say so by themselves, and migrations are history.
    const inSources = [...sourcesIn(new URL('../../src/', import.meta.url))]
      .filter(([file, source]) => !/^(modules|database\/migrations)\//.test(file) && NAMES.test(source))
      .map(([file]) => `src/${file}`);
    const isOwn = new RegExp(`^(contract/${MODULE}\\.|architecture/added-modules\\.)`);
    const inTests = [...sourcesIn(new URL('../', import.meta.url), { specs: true })]
      .filter(([file, source]) => !isOwn.test(file) && NAMES.test(source))
      .map(([file]) => `test/${file}`);
    const outside = ['.dependency-cruiser.cjs', ...inSources, ...inTests];
    expect(Object.keys(USES).filter((file) => !outside.includes(file))).toEqual([]);
    const touched = outside.filter((file) => USES[file] === undefined);
    expect(touched.filter((file) => !written.includes(file))).toEqual([]);
  });
});
