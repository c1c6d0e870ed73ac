import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../load/client.js';
import type { Outcome } from '../load/judge.js';
import { Judge } from '../load/judge.js';
import { Testbed } from '../testbed/testbed.js';
import { HostileModel } from './hostile-model.js';
import type { FuzzInput } from './mutation.js';

/** How a body goes over the wire. */
export const DELIVERIES = ['whole', 'whole', 'whole', 'chunked', 'cut'] as const;

const HANG_MS = 30_000;
const CHUNK_BYTES = 700;
/** Well above what the processes need for any of this. */
export const MEMORY_LIMIT_MB = 900;

/** The product with one of everything that inputs are sent to. */
export class FuzzHarness {
  /** How often each status was answered: inputs that are all refused at the door prove little. */
  readonly statuses = new Map<string, number>();

  private constructor(
    readonly testbed: Testbed,
    readonly client: Client,
    readonly ids: { campaign: number; knowledgebase: number; assistant: number; uuid: string },
    readonly model: HostileModel,
  ) {}

  static async start(): Promise<FuzzHarness> {
    const model = new HostileModel();
    const testbed = await Testbed.start({
      model: (text, response) => model.answer(text, response),
      environment: { MODEL_TIMEOUT_SECONDS: '2', CHAT_TURN_TIMEOUT_SECONDS: '8', LOG_LEVEL: 'warn' },
    });
    try {
      const client = new Client(testbed.url, testbed.token, null);
      return new FuzzHarness(testbed, client, await fillAccount(client), model);
    } catch (error) {
      await testbed.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.client.close();
    await this.testbed.stop();
  }

  /** Starts what died again, so that the next input meets a living product. */
  async revive(): Promise<void> {
    for (const one of this.testbed.processes) {
      one.unwantedEnds.splice(0);
      await one.ensureRunning();
    }
  }

  /** What an input did to the processes; null when they live and answer. */
  async harm(): Promise<string | null> {
    try {
      const response = await fetch(`${this.testbed.url}/health/live`, {
        signal: AbortSignal.timeout(HANG_MS),
      });
      await response.text();
    } catch (error) {
      // It may take a moment until its end is noticed.
      await sleep(200);
      const [end] = this.testbed.unwantedEnds;
      return end ?? `the API does not answer any more: ${String(error)}`;
    }
    return this.testbed.unwantedEnds[0] ?? null;
  }

  async openConversation(): Promise<string> {
    const { conversation_id: id } = await this.client.must<{ conversation_id: string }>(
      'POST',
      '/api/conversations',
      { assistant_id: this.ids.uuid },
    );
    return id;
  }

  /** Sends an input as its facts say. @throws with what is wrong about the answer */
  async post({ body, facts }: FuzzInput): Promise<Outcome> {
    const { method = 'POST', path = '/', delivery = 'whole', type, ...headers } = facts;
    const outcome = await this.send(method, path, delivery, body, {
      ...headers,
      ...(type === undefined ? {} : { 'content-type': type }),
      authorization: `Bearer ${this.testbed.token}`,
    });
    const answered = outcome.status === null ? 'none' : String(outcome.status);
    this.statuses.set(answered, (this.statuses.get(answered) ?? 0) + 1);
    if (delivery === 'cut' && outcome.status === null) return outcome;
    const judge = new Judge(this.testbed.contract);
    judge.isFaulty = true;
    judge.see(outcome);
    const [problem] = judge.violations;
    if (problem !== undefined) throw new Error(problem);
    return outcome;
  }

  private send(
    method: string,
    path: string,
    delivery: string,
    body: Buffer,
    headers: Record<string, string>,
  ): Promise<Outcome> {
    const startedAt = performance.now();
    const outcome = (rest: Partial<Outcome>): Outcome => ({
      method,
      path,
      status: null,
      contentType: '',
      retryAfter: null,
      text: '',
      failure: null,
      tookMs: performance.now() - startedAt,
      ...rest,
    });
    return new Promise((resolve) => {
      const fail = (error: Error) => resolve(outcome({ failure: error.message }));
      const request = httpRequest(`${this.testbed.url}${path}`, {
        method,
        headers: delivery === 'chunked' ? headers : { ...headers, 'content-length': String(body.length) },
        timeout: HANG_MS,
      });
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', fail);
        response.on('end', () =>
          resolve(
            outcome({
              status: response.statusCode ?? 0,
              contentType: response.headers['content-type'] ?? '',
              retryAfter: response.headers['retry-after'] ?? null,
              text: Buffer.concat(chunks).toString('utf8'),
            }),
          ),
        );
      });
      request.on('timeout', () => request.destroy(new Error(`no answer in ${HANG_MS} ms`)));
      request.on('error', fail);
      if (delivery === 'cut') {
        request.write(body.subarray(0, body.length >> 1), () => setTimeout(() => request.destroy(), 20));
      } else {
        for (let at = 0; at < body.length; at += CHUNK_BYTES)
          request.write(body.subarray(at, at + CHUNK_BYTES));
        request.end();
      }
    });
  }
}

interface Created {
  readonly data: { readonly id: number };
}

async function fillAccount(client: Client): Promise<FuzzHarness['ids']> {
  const { data: made } = await client.must<Created>('POST', '/api/user/assistant', {
    name: 'Fuzz',
    voice_id: 1,
    language_id: 1,
    llm_model_id: 1,
    type: 'outbound',
    mode: 'pipeline',
    timezone: 'UTC',
    initial_message: 'Olá!',
    system_prompt: 'Você é breve.',
  });
  const { uuid } = await client.must<{ uuid: string }>('GET', `/api/user/assistant/${made.id}`);
  const { data: campaign } = await client.must<Created>('POST', '/api/user/campaign', {
    name: 'Fuzz',
    assistant_id: made.id,
  });
  const { data: knowledgebase } = await client.must<Created>('POST', '/api/user/knowledgebases', {
    name: 'Fuzz',
  });
  return { assistant: made.id, uuid, campaign: campaign.id, knowledgebase: knowledgebase.id };
}
