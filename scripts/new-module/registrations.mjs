/** Lists outside of the folder of a module that need a line for it. */
export const REGISTRATIONS = [
  {
    file: 'src/features.ts',
    additions: [
      {
        after: /^import \{ \w+Feature \}/,
        line: "import { __camelPlural__Feature } from './modules/__plural__/__plural__.feature.js';",
      },
      { after: /^ {2}\w+Feature,$/, line: '  __camelPlural__Feature,' },
    ],
  },
  {
    file: 'src/database/entities.ts',
    additions: [
      {
        after: /^import \{ \w+ \} from '\.\.\/modules\//,
        line: "import { __Singular__ } from '../modules/__plural__/__singular__.entity.js';",
      },
      { after: /^ {2}\w+,$/, line: '  __Singular__,' },
    ],
  },
  {
    file: 'src/database/migrations.ts',
    additions: [
      {
        after: /^import \{ \w+ \} from '\.\/migrations\//,
        line: "import { __Plural____time__ } from './migrations/__time__-__plural__.js';",
      },
      { after: /^ {2}\w+\d{13},$/, line: '  __Plural____time__,' },
    ],
  },
  {
    file: '.dependency-cruiser.cjs',
    additions: [
      {
        from: /^const MODULE_EDGES/,
        before: /^};/,
        after: /^ {2}folders: \[\],$/,
        line: "  '__plural__': [],",
      },
    ],
  },
  {
    file: 'test/support/belongings.ts',
    additions: [
      { from: /^export type Kind =/, before: /;$/, after: /^ {2}\| '/, line: "  | '__camelSingular__'" },
      {
        from: /KIND_OF_SEGMENT/,
        before: /^};/,
        after: /^ {2}tools: /,
        line: "  '__plural__': '__camelSingular__',",
      },
      {
        from: /async function fillAccount/,
        before: /^}/,
        after: /^ {4}tool,$/,
        line: "    __camelSingular__: await post('/api/user/__plural__', { name: mark }),",
      },
    ],
  },
  {
    file: 'test/contract/tenant-isolation.contract.spec.ts',
    additions: [
      {
        from: /^const VALID_BODIES/,
        before: /^};/,
        after: /^ {2}\w+: /,
        line: "  update__Singular__: { name: 'Outra' },",
      },
    ],
  },
  ...[
    ['en', 'Created a __word__', 'Deleted a __word__', 'Changed a __word__'],
    ['pt', 'Criou: __word__', 'Excluiu: __word__', 'Mudou: __word__'],
  ].map(([language, created, deleted, updated]) => ({
    file: `web/console/src/pages/audit/${language}.ts`,
    additions: [
      { after: /^ {4}createTool:/, line: `    create__Singular__: '${created}',` },
      { after: /^ {4}deleteTool:/, line: `    delete__Singular__: '${deleted}',` },
      { after: /^ {4}updateTool:/, line: `    update__Singular__: '${updated}',` },
    ],
  })),
];
