import { setTimeout as sleep } from 'node:timers/promises';
import { makePdf } from '../../support/documents.js';
import type { Testbed } from '../testbed/testbed.js';
import { Client } from './client.js';
import type { Judge, Outcome } from './judge.js';

const PAUSE_MS = 2_000;
const READ_LOOKS = 60;
const BOUNDARY = 'XX';

/** What customers do besides chats and campaigns: create, read and delete resources. */
export class SideLoad {
  private readonly client: Client;
  private running: Promise<void> | null = null;
  private stopping = false;

  constructor(testbed: Testbed, judge: Judge) {
    this.client = new Client(testbed.url, testbed.token, judge);
  }

  get requests(): number {
    return this.client.requests;
  }

  begin(): void {
    this.running = this.work();
  }

  async end(): Promise<void> {
    this.stopping = true;
    await this.running;
    await this.client.close();
  }

  private async work(): Promise<void> {
    const pdf = await makePdf([{ heading: 'Preços', paragraphs: ['O pão custa 2 reais.'] }], 'Tabela');
    while (!this.stopping) {
      await this.toolAndFolder();
      await this.knowledgebase(pdf);
      await this.client.ask('GET', '/api/user/conversations');
      await this.client.ask('GET', '/api/user/leads?per_page=50');
      await this.client.ask('GET', '/api/user/webhook-deliveries');
      await this.client.ask('GET', '/api/user/billing/transactions');
      await sleep(PAUSE_MS);
    }
  }

  private async toolAndFolder(): Promise<void> {
    const tool = await this.client.ask('POST', '/api/user/tools', {
      body: {
        name: 'get_weather',
        description: 'Previsão do tempo de uma cidade',
        endpoint: 'https://api.example.com/weather/{city}',
        method: 'GET',
      },
    });
    const folder = await this.client.ask('POST', '/api/user/folder', { body: { name: 'Pasta' } });
    await sleep(PAUSE_MS);
    await this.takeAway(tool, '/api/user/tools');
    await this.takeAway(folder, '/api/user/folder');
  }

  private async knowledgebase(pdf: Buffer): Promise<void> {
    const made = await this.client.ask('POST', '/api/user/knowledgebases', { body: { name: 'Base' } });
    const id = idOf(made);
    if (id === null) return;
    const path = `/api/user/knowledgebases/${id}/documents`;
    const document = idOf(
      await this.client.ask('POST', path, {
        stream: { type: `multipart/form-data; boundary=${BOUNDARY}`, chunks: form(pdf) },
      }),
    );
    for (let look = 0; look < (document === null ? 0 : READ_LOOKS); look++) {
      await sleep(PAUSE_MS / 2);
      const { text } = await this.client.ask('GET', `${path}/${document}`);
      if (!text.includes('"processing"')) break;
    }
    await this.takeAway(made, '/api/user/knowledgebases');
  }

  private async takeAway(made: Outcome, path: string): Promise<void> {
    const id = idOf(made);
    if (id !== null) await this.client.ask('DELETE', `${path}/${id}`);
  }
}

function idOf({ status, text }: Outcome): number | null {
  if (status !== 200 && status !== 201) return null;
  return (JSON.parse(text) as { data: { id: number } }).data.id;
}

async function* form(pdf: Buffer): AsyncGenerator<Buffer> {
  const field = (name: string, rest = '') =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n`;
  yield Buffer.from(
    `${field('name')}Tabela\r\n${field('type')}pdf\r\n${field('file', '; filename="a.pdf"')}`,
  );
  yield pdf;
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
}
