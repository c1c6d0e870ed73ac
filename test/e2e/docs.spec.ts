import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpTestServer } from '../support/mcp-server.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';

const run = promisify(execFile);

interface Block {
  readonly file: string;
  readonly language: string;
  readonly code: string;
}

/** test/e2e/readme.spec.ts runs its blocks. */
const TOUR = 'getting-started/';

/** Every block of the guides that names its language. The customer's document has none. */
async function blocksOf(...languages: string[]): Promise<Block[]> {
  const names = await readdir('docs', { recursive: true });
  const files = names.filter((name) => name.endsWith('.md') && !name.startsWith(TOUR)).sort();
  const blocks = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join('docs', file), 'utf8');
      return [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => ({
        file,
        language,
        code,
      }));
    }),
  );
  return blocks.flat().filter(({ language }) => languages.includes(language));
}

/** What a block would do to the machine it is pasted on, or what it needs and a test has not; by how the block begins. */
const NOT_HERE: Readonly<Record<string, string>> = {
  'CATALOG_FILE=/etc': 'one variable; the catalogue below it is used by the test of JSON blocks',
  'npm run account': 'test/e2e/account-command.spec.ts',
  'curl -X PUT http://127.0.0.1:3000/api/user/phone-numbers/1/routing':
    'needs a number and two assistants; test/contract/number-routings.contract.spec.ts',
  'curl -s -X PUT $API/user/phone-numbers/1/routing':
    'needs a number; test/contract/number-lookups.contract.spec.ts',
  'docker build -f docker/Dockerfile': 'needs Docker; npm run test:operate -- images',
  'pg_dump --format=custom': 'needs the programs of PostgreSQL; test/faults/restored-copy.spec.ts',
  'PROSA_PAUSED=1 npm run after-restore': 'asks on a terminal; test/faults/restored-copy.spec.ts',
  'curl -X POST "$API/auth/password/forgot"': 'needs a mail server; test/integration/emails.spec.ts',
  'cd docker': 'needs Docker; test/e2e/operator-files.spec.ts reads its files',
  'MIGRATION_DATABASE_URL=': 'test/operate/least-privilege.spec.ts',
  'npm run backup': 'test/e2e/backup.spec.ts',
  'npm run restore': 'test/e2e/backup.spec.ts',
  'ufw allow 5060': 'changes the firewall',
  'SIP_LISTEN=0.0.0.0:5060 SIP_PUBLIC_ADDRESS': 'listens on all addresses; test/e2e/sip-process.spec.ts',
  'SIP_LISTEN=0.0.0.0:5060 SIP_PROCESS_PORTS': 'changes the firewall; test/faults/sip-shared.spec.ts',
  'apt-get install kamailio': 'installs a service; npm run test:phone -- in front',
  'curl -X POST http://127.0.0.1:3000/api/user/phone-numbers/verifications/1/confirm':
    'needs the code that was spoken; test/integration/number-verifications.spec.ts',
  'SIP_LISTEN=0.0.0.0:5060 SIP_TLS_KEY': 'changes the firewall; test/voice/sip-calls.spec.ts',
  'PUBLIC_URL=https://prosa.example TWILIO_ACCOUNT_SID=':
    'runs until it is stopped; test/contract/phone-numbers-twilio.contract.spec.ts',
  'curl -X PUT http://127.0.0.1:3000/api/user/carrier-accounts':
    'asks Twilio; test/contract/carrier-accounts.contract.spec.ts',
  'curl -X PUT "$API/user/model-keys/chat"': 'asks a model server; test/contract/model-keys.contract.spec.ts',
  'curl -X PUT "$API/user/model-keys/speech/deepgram"':
    'asks Deepgram; test/contract/speech-keys.contract.spec.ts',
  'LIVEKIT_URL=wss://': 'needs a LiveKit server; npm run test:livekit',
  'cd /opt/prosa': 'installs a service',
  'useradd ': 'installs a service',
  'mkdir -p /srv/speech': 'fetches hundreds of megabytes; npm run test:local-speech',
  'SPEECH_MODELS_DIR=': 'npm run test:local-speech',
  'npm ci\nnpm run build\nnpm run plugin:new': 'test/e2e/plugins.spec.ts',
  'docker run --rm prosa-api sh':
    'needs Docker; test/e2e/plugin-package.spec.ts packs the files of the image',
  'npm init --yes\nnpm install ./prosa-': 'test/e2e/plugin-package.spec.ts',
  'npm run module:new': 'writes into the checkout; test/architecture/added-modules.spec.ts',
  'PROSA_PLUGINS=./plugins/shop-orders,': 'one variable; test/e2e/plugins.spec.ts names two plugins',
  'PROSA_PLUGINS=./plugins/points.mjs':
    'runs until it is stopped; test/e2e/plugins.spec.ts writes and runs this plugin',
};

/** Where the records of the guides belong in a catalogue: the section, the guide, and which of its blocks of JSON it is. */
const CATALOG_RECORDS = [
  ['models', 'how-to/catalog.md', 0],
  ['synthesizer_providers', 'how-to/local-speech.md', 0],
  ['voices', 'how-to/local-speech.md', 1],
] as const;

const recordsOf = (code: string) => JSON.parse(`[${code.trim().replace(/,$/, '')}]`) as unknown[];

/** As the tour creates one. */
const ASSISTANT = {
  name: 'Loja',
  type: 'inbound',
  mode: 'pipeline',
  language_id: 1,
  voice_id: 1,
  llm_model_id: 1,
  timezone: 'America/Sao_Paulo',
  initial_message: 'Olá!',
  system_prompt: 'Você atende os clientes de uma loja.',
};

const isHere = ({ code }: Block) => !Object.keys(NOT_HERE).some((beginning) => code.startsWith(beginning));

describe('the blocks of code in docs/', () => {
  let folder: string;
  let prosa: ProsaProcess;
  let mcp: McpTestServer;
  let url: string;
  let operations: string;
  let key: string;

  const api = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    expect(response.ok ? '' : answer).toBe('');
    return answer;
  };

  const invitation = async () => {
    const person = { email: 'bia@example.com', role: 'operator' };
    const { data } = await api('POST', '/user/invitations', person);
    return (data as { token: string }).token;
  };

  const passwordLink = async () => {
    const { data } = await api('POST', '/user/members/1/password-link');
    return (data as { token: string }).token;
  };

  const definitionHash = async () => {
    const [tool] = (await api('GET', '/user/mcp-servers/1/mcp-tools')) as unknown as {
      definition_hash: string;
    }[];
    return tool?.definition_hash;
  };

  beforeAll(async () => {
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-docs-'));
    mcp = await McpTestServer.start();
    const schema = { type: 'object', properties: {} };
    mcp.behaviour = { list: () => ({ tools: [{ name: 'find', description: 'x', inputSchema: schema }] }) };
    const catalog = JSON.parse(await readFile('src/modules/catalog/data/catalog.json', 'utf8')) as Record<
      string,
      unknown[]
    >;
    for (const [section, file, place] of CATALOG_RECORDS) {
      const blocks = (await blocksOf('json')).filter((block) => block.file === file);
      catalog[section]?.push(...recordsOf(blocks[place]?.code ?? ''));
    }
    await writeFile(join(folder, 'catalog.json'), JSON.stringify(catalog));
    prosa = ProsaProcess.start({
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      CATALOG_FILE: join(folder, 'catalog.json'),
      VISITOR_CHALLENGE_DIFFICULTY: '10',
    });
    url = await prosa.ready();
    operations = await prosa.says(/Operator +(http:\S+)\/health\/ready/);
    key = /\bprosa_\w{36}\b/.exec(prosa.text)?.[0] ?? '';
    await api('POST', '/user/assistant', ASSISTANT);
    const { data } = await api('POST', '/user/assistant', { ...ASSISTANT, type: 'outbound' });
    const { id } = data as { id: number };
    await api('POST', '/user/campaigns', { name: 'Retorno', assistant_id: id });
  }, 180_000);
  afterAll(async () => {
    await prosa.stop();
    await mcp.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('are all run here, or named with the reason why not', async () => {
    const blocks = await blocksOf('sh');
    for (const beginning of Object.keys(NOT_HERE)) {
      expect(blocks.some(({ code }) => code.startsWith(beginning))).toBe(true);
    }
    const elsewhere = Object.values(NOT_HERE).flatMap((reason) => reason.match(/\btest\/[\w./-]+/g) ?? []);
    expect(elsewhere.filter((spec) => !spec.endsWith('.spec.ts') || !existsSync(spec))).toEqual([]);
    expect(blocks.filter(isHere).length).toBeGreaterThanOrEqual(8);
  });

  it('of the shell work when pasted, in the order of their page', async () => {
    const blocks = (await blocksOf('sh')).filter(isHere);
    for (const { file, code } of blocks) {
      // The one value that a reader has to fill in from an answer before.
      const hash = code.includes('"definition_hash": "…"') ? await definitionHash() : '';
      const script = `curl() { command curl --fail-with-body "$@"; }\n${code}`
        .replaceAll('https://mcp.example.com/mcp', mcp.url)
        .replaceAll('http://127.0.0.1:3001', operations)
        .replaceAll(/http:\/\/127\.0\.0\.1:3000|https:\/\/prosa\.example/g, url)
        .replaceAll('contract.xml', join(folder, 'contract.xml'))
        .replace('"definition_hash": "…"', `"definition_hash": "${hash}"`)
        .replace('prosa_inv_…', code.includes('prosa_inv_…') ? await invitation() : '')
        .replace('prosa_reset_…', code.includes('prosa_reset_…') ? await passwordLink() : '');
      const shell = spawn('bash', ['-e', '-c', script], {
        env: { ...process.env, API: `${url}/api`, KEY: key },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      shell.stdout.on('data', (text: Buffer) => (said += text.toString('utf8')));
      shell.stderr.on('data', (text: Buffer) => (said += text.toString('utf8')));
      const [status] = (await once(shell, 'close')) as [number];
      expect({ file, code, said: status === 0 ? '' : said }).toEqual({ file, code, said: '' });
    }
  }, 180_000);

  it('of JSON are JSON, and the catalogue of them is one that Prosa starts with', async () => {
    for (const { file, code } of await blocksOf('json')) {
      expect({ file, records: recordsOf(code).length }).toEqual({
        file,
        records: file === 'how-to/catalog.md' ? 2 : 1,
      });
    }
    const models = await fetch(`${url}/api/user/assistants/models`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(await models.text()).toContain('Support 8B');
  });

  it('that solve a challenge open a conversation', async () => {
    const [block] = (await blocksOf('js')).filter(({ file }) => file === 'how-to/visitors.md');
    const { data } = (await api('POST', '/user/assistant', { ...ASSISTANT, challenge_required: true })) as {
      data: { id: number };
    };
    const { uuid } = (await api('GET', `/user/assistant/${data.id}`)) as { uuid: string };
    const program = `${block?.code}\nconsole.log(JSON.stringify(await openConversation('${url}/api', '${uuid}')));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program]);
    expect(JSON.parse(stdout)).toEqual(expect.objectContaining({ conversation_id: expect.any(String) }));
  }, 30_000);
});
