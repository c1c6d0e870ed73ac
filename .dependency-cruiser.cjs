// Import rules of the house. Each says what it forbids and why; docs/architecture.md draws the picture.
const within = (folder) => `^src/${folder}`;
const spec = '\\.spec\\.ts$';

/** What every module may know: the answers to repeated requests are kept for all of them. */
const FOR_ALL = ['idempotency'];

/** Modules that may know one another: left imports the exported service of right. Anything else is a finding. */
const MODULE_EDGES = {
  accounts: ['billing'],
  alerts: ['webhooks'],
  'api-keys': ['accounts'],
  auth: ['accounts', 'api-keys'],
  billing: [],
  catalog: [],
  files: [],
  folders: [],
  'carrier-accounts': [],
  'model-keys': ['webhooks'],
  'phone-numbers': ['accounts', 'billing', 'carrier-accounts', 'webhooks'],
  tools: ['accounts'],
  'mcp-servers': ['accounts'],
  knowledgebases: ['accounts', 'files'],
  assistants: [
    'accounts',
    'audit',
    'catalog',
    'tools',
    'mcp-servers',
    'knowledgebases',
    'phone-numbers',
    'folders',
    'webhooks',
  ],
  conversations: ['accounts', 'assistants', 'billing', 'catalog', 'visitors', 'webhooks'],
  calls: [
    'accounts',
    'assistants',
    'billing',
    'catalog',
    'do-not-call',
    'files',
    'phone-numbers',
    'webhooks',
  ],
  'number-verifications': ['accounts', 'billing', 'calls', 'do-not-call', 'phone-numbers'],
  'inbound-calls': ['assistants', 'calls', 'number-verifications', 'phone-numbers'],
  'web-calls': ['assistants', 'billing', 'calls', 'visitors'],
  'voice-server': ['calls'],
  'do-not-call': ['accounts'],
  idempotency: [],
  leads: ['accounts', 'assistants'],
  campaigns: ['accounts', 'assistants', 'leads', 'calls', 'phone-numbers', 'billing', 'webhooks'],
  simulations: ['accounts', 'assistants'],
  visitors: ['alerts', 'assistants', 'billing'],
  webhooks: ['accounts'],
};

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { pathNot: '\\.entity\\.ts$' } },
    },
    {
      name: 'pages-know-no-server',
      comment:
        'They talk to it through the generated client. The texts of its errors are shared, so that there is one copy.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(src|test)/', pathNot: '^src/i18n/' },
    },
    {
      name: 'server-knows-no-pages',
      comment: 'It serves their files.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^web/' },
    },
    {
      name: 'pages-of-the-console-do-not-know-one-another',
      comment: 'What two of them use is in web/console/src/components or web/shared.',
      severity: 'error',
      from: { path: '^web/console/src/pages/([^/]+)/' },
      to: { path: '^web/console/src/pages/', pathNot: '^web/console/src/pages/$1/' },
    },
    {
      name: 'typeorm-stays-with-the-data',
      comment: 'The ORM is known to entities, repositories and the database folder alone.',
      severity: 'error',
      from: {
        path: '^src',
        pathNot: [
          '\\.entity\\.ts$',
          '\\.repository\\.ts$',
          '^src/(database|queues)/',
          '\\.module\\.ts$',
          // Plugins have entities and migrations as well, and get the decorators for them from there.
          '^src/plugins/api\\.ts$',
          spec,
        ],
      },
      to: { path: 'node_modules/(typeorm|@nestjs/typeorm|pg)/' },
    },
    {
      name: 'bullmq-stays-in-queues',
      comment: 'Rate limits count in the same Redis.',
      severity: 'error',
      from: { path: '^src', pathNot: ['^src/queues/', '^src/common/limits/', spec] },
      to: { path: 'node_modules/(bullmq|@nestjs/bullmq|ioredis)/' },
    },
    {
      name: 'queues-know-no-job',
      comment:
        'src/queues is plumbing: a job lives in the module whose work it does, whose feature names it.',
      severity: 'error',
      from: { path: within('queues/'), pathNot: spec },
      to: { path: '^src/(modules|runtime|voice|providers|feature|plugins|workers)' },
    },
    {
      name: 'livekit-stays-in-voice-and-speech',
      comment: 'The engine of calls, the vendors of speech that it talks to, and the rooms of web calls.',
      severity: 'error',
      from: {
        path: '^src',
        pathNot: [
          '^src/voice/',
          '^src/providers/speech/',
          '^src/providers/telephony/(livekit|livekit-sip|web/livekit)/',
        ],
      },
      to: { path: 'node_modules/@livekit/' },
    },
    {
      name: 'voice-is-loaded-by-its-role-alone',
      comment:
        'It takes a second and 100 MB: whoever needs it imports it dynamically, when the first call is made.',
      severity: 'error',
      from: { path: '^src', pathNot: ['^src/voice/', spec] },
      to: { path: '^src/voice/', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    {
      name: 'voice-knows-no-modules',
      severity: 'error',
      from: { path: within('voice/'), pathNot: spec },
      to: { path: within('(modules|queues|database)/') },
    },
    {
      name: 'vendors-stay-in-their-adapter',
      severity: 'error',
      from: { path: '^src', pathNot: ['^src/providers/'] },
      to: { path: 'node_modules/(openai|@modelcontextprotocol)/' },
    },
    {
      name: 'controllers-do-not-skip-the-service',
      severity: 'error',
      from: { path: '\\.controller\\.ts$' },
      to: { path: '\\.(repository|entity)\\.ts$' },
    },
    {
      name: 'nothing-points-back-to-controllers',
      severity: 'error',
      from: { path: '^src', pathNot: ['\\.module\\.ts$', spec] },
      to: { path: '\\.controller\\.ts$' },
    },
    {
      name: 'repositories-do-not-know-services',
      severity: 'error',
      from: { path: '\\.(repository|entity)\\.ts$' },
      to: { path: '\\.service\\.ts$' },
    },
    {
      name: 'common-knows-no-business',
      severity: 'error',
      from: {
        path: within('(common|config|database)/'),
        pathNot: ['^src/database/(entities|migrations)', spec],
      },
      to: { path: within('(modules|runtime|voice|providers|queues)/') },
    },
    {
      name: 'providers-know-no-modules',
      severity: 'error',
      from: { path: within('providers/'), pathNot: spec },
      to: { path: within('(modules|runtime|voice|queues)/') },
    },
    {
      name: 'runtime-knows-no-modules',
      severity: 'error',
      from: { path: within('runtime/'), pathNot: spec },
      to: { path: within('(modules|voice|queues)/') },
    },
    {
      name: 'repositories-and-entities-are-private-to-their-module',
      comment: 'Another module is reached through the service it exports.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/', pathNot: spec },
      to: { path: '^src/modules/([^/]+)/.*\\.(repository|entity)\\.ts$', pathNot: '^src/modules/$1/' },
    },
    ...Object.entries(MODULE_EDGES).map(([module, allowed]) => ({
      name: `modules-of-${module}`,
      comment: `src/modules/${module} may import: ${allowed.join(', ') || 'no other module'}.`,
      severity: 'error',
      from: { path: `^src/modules/${module}/`, pathNot: spec },
      to: { path: '^src/modules/', pathNot: `^src/modules/(${[module, ...FOR_ALL, ...allowed].join('|')})/` },
    })),
    {
      name: 'modules-know-no-plugins',
      comment: 'What a plugin brings reaches them by the same lists as what they bring themselves.',
      severity: 'error',
      from: {
        path: within('(modules|runtime|voice|providers|common|config|database|queues|i18n)/'),
        pathNot: spec,
      },
      to: { path: within('(plugins/|features\\.ts|add-feature\\.ts)') },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: ['^src/main\\.ts$', '\\.d\\.ts$', spec] },
      to: {},
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['\\.spec\\.ts$', '^clients/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.css'],
    },
  },
};
