import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerJson, LocalServer } from '../support/http-server.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';

const PAGE = 'docs/getting-started/first-assistant.md';

/** The commands between `<!-- tour -->` and the end of their block, in order. */
async function tourBlocks(): Promise<string[]> {
  const page = await readFile(PAGE, 'utf8');
  return [...page.matchAll(/<!-- tour -->\n+```sh\n([^]*?)```/g)].map(([, block = '']) => block);
}

describe(`the tour of ${PAGE}`, () => {
  let dataDir: string;
  let prosa: ProsaProcess;
  let shop: LocalServer;

  beforeAll(async () => {
    await buildProduct();
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-readme-'));
    shop = await LocalServer.start(({ path }, response) =>
      answerJson(response, { order: path.split('/').pop(), status: 'enviado ontem' }),
    );
    prosa = ProsaProcess.start({ DATA_DIR: dataDir, PORT: '0', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  }, 120_000);
  afterAll(async () => {
    await prosa.stop();
    await shop.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('works when pasted, block by block', async () => {
    const url = await prosa.ready();
    const key = /\bprosa_\w{36}\b/.exec(prosa.text)?.[0] ?? '';
    const blocks = await tourBlocks();
    const script = [`KEY=${key}`, ...blocks]
      .join('\necho\n')
      .replaceAll('http://127.0.0.1:3000', url)
      .replaceAll('http://127.0.0.1:4000', shop.url);
    const shell = spawn('sh', ['-e', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    shell.stdout.on('data', (text: Buffer) => {
      output += text.toString('utf8');
    });
    await once(shell, 'close');

    expect(blocks).toHaveLength(4);
    expect(shop.requests.map(({ path }) => path)).toEqual(['/orders/42']);
    expect(output).toContain('Ferramenta criada com sucesso');
    expect(output).toContain('Assistente criado com sucesso');
    expect(output).toContain(
      '"function_calls":[{"name":"track_order","arguments":{"order_number":"42"},"result":{"order":"42","status":"enviado ontem"}}]',
    );
    expect(output).toContain('{"status":true,"ai_enabled":false}');
    expect(output).toContain('"total_balance":9.99');
  }, 60_000);
});
