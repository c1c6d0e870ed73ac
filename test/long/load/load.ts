import { setTimeout as sleep } from 'node:timers/promises';
import type { Testbed } from '../testbed/testbed.js';
import { Client } from './client.js';
import type { Judge, Outcome } from './judge.js';
import { Promises } from './promises.js';

export interface LoadOptions {
  readonly chats: number;
  /** Between the answer and the next message of a chat, on average. */
  readonly thinkMs: number;
  readonly leadEveryMs: number;
  readonly callEveryMs: number;
  readonly importRows: number;
  /** From the end of an import to the next one. */
  readonly importEveryMs: number;
}

export const MAX_RETRIES = 2;
const IMPORT_CHUNKS = 10;
const IMPORT_CHUNK_MS = 250;
/** The longest fault, the recovery, and the lease of a key. */
const INSIST_MS = 60_000;
const TRY_AGAIN_MS = 500;
/** The carrier answers these in another way each. */
const ENDINGS = ['00', '01', '02', '03', '04', '05', '06'] as const;

interface Created {
  readonly data: { readonly id: number };
}

/** Chats, a campaign that gets leads, and imports, all at once, as long as it runs. */
export class Load {
  readonly promises = new Promises();
  private readonly client: Client;
  private running: Promise<unknown> | null = null;
  private stopping = false;
  private numbers = 0;
  private names = 0;

  private constructor(
    testbed: Testbed,
    private readonly judge: Judge,
    private readonly options: LoadOptions,
    private readonly place: { assistant: number; uuid: string; campaign: number; chats: string[] },
  ) {
    this.client = new Client(testbed.url, testbed.token, judge);
  }

  /** Makes the assistant, the campaign and the conversations. */
  static async prepare(testbed: Testbed, judge: Judge, options: LoadOptions): Promise<Load> {
    const client = new Client(testbed.url, testbed.token, null);
    try {
      return new Load(testbed, judge, options, await fillAccount(testbed, client, options.chats));
    } finally {
      await client.close();
    }
  }

  get requests(): number {
    return this.client.requests;
  }

  get campaign(): number {
    return this.place.campaign;
  }

  begin(): void {
    this.running = Promise.all([
      ...this.place.chats.map((uuid, lane) => this.chat(uuid, lane)),
      this.repeat(this.options.leadEveryMs, () => this.addLead()),
      this.repeat(this.options.callEveryMs, () => this.placeCall()),
      this.repeat(this.options.importEveryMs, () => this.importFile()),
      this.repeat(1_000, () => this.look()),
    ]);
  }

  /** No new requests; returns when the last answer is there. */
  async end(): Promise<void> {
    this.stopping = true;
    await this.running;
    await this.client.close();
  }

  private async repeat(pauseMs: number, work: () => Promise<unknown>): Promise<void> {
    while (!this.stopping) {
      await work();
      await sleep(pauseMs);
    }
  }

  /** Every second chat reads its answers as events; half of the others send a message under its key until it is taken. */
  private async chat(uuid: string, lane: number): Promise<void> {
    const readsEvents = lane % 2 === 0;
    const insists = lane % 4 === 1;
    await sleep((this.options.thinkMs * lane) / this.options.chats);
    while (!this.stopping) {
      const words = `mensagem ${lane}-${++this.names}`;
      const headers: Record<string, string> = {
        ...(readsEvents ? { accept: 'text/event-stream' } : {}),
        ...(insists ? { 'idempotency-key': words } : {}),
      };
      const send = () =>
        this.client.ask('POST', `/api/conversations/${uuid}/messages`, {
          isPublic: true,
          headers,
          body: { message: words },
        });
      const outcome = insists ? await this.untilTaken(send) : await send();
      if (isTaken(outcome)) this.promises.messages.push(words);
      await sleep(this.options.thinkMs * (0.5 + Math.random()));
    }
  }

  private async addLead(): Promise<void> {
    const phone = this.number(ENDINGS[this.numbers % ENDINGS.length]);
    const outcome = await this.client.ask('POST', '/api/user/lead', {
      body: { campaign_id: this.place.campaign, phone_number: phone },
    });
    if (outcome.status === 200) this.promises.leads.push(phone);
  }

  private async placeCall(): Promise<void> {
    const phone = this.number('00');
    const outcome = await this.untilTaken(() =>
      this.client.ask('POST', '/api/user/make_call', {
        headers: { 'idempotency-key': phone },
        body: { phone_number: phone, assistant_id: this.place.assistant },
      }),
    );
    if (outcome.status !== 200) return;
    const { call_id: id } = JSON.parse(outcome.text) as { call_id: number };
    this.promises.calls.push({ id, to: phone });
  }

  private async importFile(): Promise<void> {
    const phones = Array.from({ length: this.options.importRows }, () =>
      this.number(ENDINGS[this.numbers % ENDINGS.length]),
    );
    const outcome = await this.client.ask('POST', `/api/user/campaigns/${this.place.campaign}/leads/import`, {
      stream: { type: 'text/csv', chunks: slowFile(phones) },
    });
    if (outcome.status === 200) this.promises.importedLeads.push(...phones);
  }

  private async look(): Promise<void> {
    await this.client.ask('GET', '/api/user/calls?per_page=20');
    await this.client.ask('GET', `/api/user/campaigns/${this.place.campaign}/progress`);
  }

  /** Repeats a request with its key, as a program that needs it done does: the key must be usable again in time. */
  private async untilTaken(send: () => Promise<Outcome>): Promise<Outcome> {
    const startedAt = performance.now();
    for (;;) {
      const outcome = await send();
      if (isTaken(outcome) || isFinal(outcome)) return outcome;
      if (performance.now() - startedAt > INSIST_MS) {
        this.judge.complain(outcome, `not done in ${INSIST_MS} ms under its key`, outcome.text);
        return outcome;
      }
      await sleep(TRY_AGAIN_MS);
    }
  }

  private number(ending = '00'): string {
    return `+55119${String(800_000 + this.numbers++).padStart(6, '0')}${ending}`;
  }
}

/** An answer that promises: a whole one, and of a stream its last event. */
function isTaken({ status, contentType, text, failure }: Outcome): boolean {
  if (status !== 200 || failure !== null) return false;
  return !contentType.startsWith('text/event-stream') || /^event: done$/m.test(text);
}

/** A refusal that no repetition changes. */
function isFinal({ status }: Outcome): boolean {
  return status !== null && status >= 400 && status < 500 && status !== 409 && status !== 429;
}

async function* slowFile(phones: readonly string[]): AsyncGenerator<Buffer> {
  yield Buffer.from('phone_number,nome\n');
  const size = Math.ceil(phones.length / IMPORT_CHUNKS);
  for (let at = 0; at < phones.length; at += size) {
    await sleep(IMPORT_CHUNK_MS);
    yield Buffer.from(
      phones
        .slice(at, at + size)
        .map((phone) => `${phone},Ana\n`)
        .join(''),
    );
  }
}

async function fillAccount(
  testbed: Testbed,
  client: Client,
  chats: number,
): Promise<{ assistant: number; uuid: string; campaign: number; chats: string[] }> {
  const database = await testbed.cluster.connect();
  try {
    await database.query("UPDATE users SET plan_id = (SELECT id FROM plans WHERE code = 'unlimited')");
  } finally {
    await database.end();
  }
  const { data: made } = await client.must<Created>('POST', '/api/user/assistant', {
    name: 'Renovações',
    voice_id: 1,
    language_id: 1,
    llm_model_id: 1,
    type: 'outbound',
    mode: 'pipeline',
    timezone: 'America/Sao_Paulo',
    initial_message: 'Olá! Posso falar um minuto?',
    system_prompt: 'Você liga para clientes da Padaria Central.',
    is_webhook_active: true,
    webhook_url: `${testbed.receiver.url}/`,
    send_webhook_only_on_completed: false,
  });
  const assistant = made.id;
  await client.must('PUT', `/api/user/assistant/${assistant}`, { status: 'active' });
  const { uuid } = await client.must<{ uuid: string }>('GET', `/api/user/assistant/${assistant}`);
  const found = await client.must<{ data: { phone_number: string }[] }>(
    'GET',
    '/api/user/phone-numbers/search?country_code=US',
  );
  const numbers: number[] = [];
  for (const { phone_number } of found.data.slice(0, 2)) {
    numbers.push(
      (await client.must<Created>('POST', '/api/user/phone-numbers/purchase', { phone_number })).data.id,
    );
  }
  await client.must('PUT', `/api/user/assistant/${assistant}`, { phone_number_id: numbers[0] });
  const { data: campaign } = await client.must<Created>('POST', '/api/user/campaign', {
    name: 'Renovação',
    assistant_id: assistant,
    phone_number_ids: numbers,
    max_calls_in_parallel: 20,
    max_retries: MAX_RETRIES,
    retry_interval: 10,
    mark_complete_when_no_leads: false,
    allowed_hours_start_time: '00:00',
    allowed_hours_end_time: '23:59',
    timezone: zoneAtNoon(),
  });
  await client.must('POST', '/api/user/lead', { campaign_id: campaign.id, phone_number: '+5511970000000' });
  await client.must('POST', '/api/user/campaigns/update-status', {
    campaign_id: campaign.id,
    action: 'start',
  });
  const opened = [];
  for (let n = 0; n < chats; n++) {
    const { conversation_id: id } = await client.must<{ conversation_id: string }>(
      'POST',
      '/api/conversations',
      {
        assistant_id: uuid,
      },
    );
    opened.push(id);
  }
  return { assistant, uuid, campaign: campaign.id, chats: opened };
}

/** A zone where it is about noon, so that no run meets the minute of midnight in which the window is closed. */
function zoneAtNoon(): string {
  // The sign is that of POSIX: GMT+3 is three hours behind.
  const behind = new Date().getUTCHours() - 12;
  return `Etc/GMT${behind < 0 ? behind : `+${behind}`}`;
}
