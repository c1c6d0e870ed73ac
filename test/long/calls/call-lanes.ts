import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordingSides } from '../../support/voice/recording-sides.js';
import { Client } from '../load/client.js';
import type { Testbed } from '../testbed/testbed.js';
import type { CallSource } from './call-source.js';
import { gapsIn, RATE } from './recording-gaps.js';

const CALL_MS = 240_000;
const RECORDING_MS = 60_000;
const LOOK_MS = 2_000;
const DECODE_MS = 30_000;
const LIVE = new Set(['initiated', 'ringing', 'in-progress']);
/** How a call ends in which two have talked. */
const TALKED = new Set(['completed', 'ended_by_customer', 'ended_by_assistant']);
const LONGEST_GAP_MS = 60;
/** A process that has just begun is warm after the first call, not in the middle of ten. */
const LANE_APART_MS = 2_000;
const LOADED_MS = 30_000;

interface CallBody {
  readonly status: string;
  readonly duration: number;
  readonly turns: readonly { readonly role: string }[];
  readonly recording_url?: string;
}

/** Calls in sound, in some lanes: in each, the next begins when the last is over and its recording was looked at. */
export class CallLanes {
  private readonly failures: string[] = [];
  calls = 0;
  /** Of all calls together, in seconds. */
  talked = 0;
  private begun = 0;
  private stopping = false;
  private running: Promise<unknown> | null = null;

  private constructor(
    private readonly testbed: Testbed,
    private readonly client: Client,
    private readonly source: CallSource,
  ) {}

  static async prepare(testbed: Testbed, open: (client: Client) => Promise<CallSource>): Promise<CallLanes> {
    const client = new Client(testbed.url, testbed.token, null);
    return new CallLanes(testbed, client, await open(client));
  }

  /** What was not as it has to be. */
  get broken(): readonly string[] {
    return [...this.failures, ...this.source.broken];
  }

  /** Returns when the engine is loaded; the lanes begin one after another from then on. */
  async begin(lanes: number): Promise<void> {
    const deadline = performance.now() + LOADED_MS;
    while (!this.testbed.voice?.log().includes('voice and ears are loaded')) {
      if (performance.now() > deadline) throw new Error(`the engine was not loaded within ${LOADED_MS} ms`);
      await sleep(100);
    }
    const beginning = Array.from({ length: lanes }, async (_, lane) => {
      await sleep(lane * LANE_APART_MS);
      await this.lane();
    });
    this.running = Promise.all(beginning);
  }

  /** No more calls begin; returns when the last one is over. */
  async end(): Promise<void> {
    this.stopping = true;
    await this.running;
    await this.source.close();
    await this.client.close();
  }

  private async lane(): Promise<void> {
    while (!this.stopping) {
      const index = this.begun++;
      try {
        await this.call(index);
      } catch (error) {
        this.failures.push(`number ${index}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }

  private async call(index: number): Promise<void> {
    const id = await this.source.begin(index);
    const done = await this.readWhen(id, ({ status }) => !LIVE.has(status), CALL_MS);
    this.calls += 1;
    this.talked += done.duration;
    if (!TALKED.has(done.status)) throw new Error(`call ${id} ended as ${done.status}`);
    if (!done.turns.some(({ role }) => role === 'assistant')) throw new Error(`call ${id}: nothing was said`);
    await this.readWhen(id, ({ recording_url: url }) => url !== undefined, RECORDING_MS);
    await this.listen(id);
  }

  private async readWhen(id: number, is: (body: CallBody) => boolean, limitMs: number): Promise<CallBody> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const body = await this.client.must<CallBody>('GET', `/api/user/calls/${id}`);
      if (is(body)) return body;
      if (performance.now() > deadline) throw new Error(`call ${id} is ${body.status} after ${limitMs} ms`);
      await sleep(LOOK_MS);
    }
  }

  private async listen(id: number): Promise<void> {
    const path = join(this.testbed.folder, `${id}.ogg`);
    const response = await fetch(`${this.testbed.url}/api/user/calls/${id}/recording`, {
      headers: { Authorization: `Bearer ${this.testbed.token}` },
    });
    if (!response.ok) throw new Error(`recording ${id}: ${response.status}`);
    await writeFile(path, Buffer.from(await response.arrayBuffer()));
    const { assistant } = await recordingSides(path, RATE, DECODE_MS);
    const gaps = gapsIn(assistant, LONGEST_GAP_MS);
    if (gaps.length === 0) return;
    const list = gaps.map(({ atMs, lengthMs }) => `${lengthMs} ms at ${atMs}`).join(', ');
    throw new Error(`call ${id}: silence of ${list}`);
  }
}
