import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordingSides, type RecordingSides } from '../../support/voice/recording-sides.js';
import { makeToken } from '../../../src/common/auth/opaque-token.js';
import { buildProduct } from '../../support/prosa-process.js';
import { makeCertificate } from '@prosa/testing';
import { until } from '../../support/until.js';
import { BARESIP_CERTIFICATE } from './baresip.js';
import { ForeignProcess } from './process.js';

const SIP_PORT = 27_560;
const TLS_PORT = 27_561;
const START_MS = 180_000;
const FINAL = ['completed', 'busy', 'no-answer', 'failed'];
/** It lets calls and database go. */
const STOP_MS = 60_000;

export interface Trunk {
  readonly id: number;
  /** E.164. */
  readonly number: string;
}

/** A call as `GET /api/user/calls/{id}` answers. */
export interface Call {
  readonly id: number;
  readonly status: string;
  readonly type: string;
  readonly answered_by: string;
  readonly client_phone_number: string;
  readonly transcript: string;
  readonly turns: readonly { readonly role: string; readonly text: string }[];
}

/** The whole product in a process of its own, with its own database, as an empty machine has it. */
export class Prosa {
  readonly sipPort = SIP_PORT;
  readonly tlsPort = TLS_PORT;
  private trunks = 0;

  private constructor(
    readonly process: ForeignProcess,
    private readonly url: string,
    private readonly key: string,
  ) {}

  /** @param more in place of what it is started with otherwise */
  static async start(more: Readonly<Record<string, string>> = {}): Promise<Prosa> {
    await buildProduct();
    const folder = ForeignProcess.makeFolder('product');
    const key = makeToken('prosa_');
    const { PATH = '', HOME = '' } = process.env;
    const { key: tlsKey, cert } = makeCertificate();
    const env = {
      PATH,
      HOME,
      DATA_DIR: folder,
      PORT: '0',
      PROSA_ROLES: 'api,worker,voice',
      BOOTSTRAP_EMAIL: 'phone@example.com',
      BOOTSTRAP_BALANCE: '100',
      BOOTSTRAP_API_KEY: key,
      LOG_LEVEL: 'warn',
      RATE_LIMITS: 'off',
      CALLING_HOURS: 'off',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      // Of calls that do not go by SIP.
      SANDBOX_SPEED: '100',
      SIP_LISTEN: `127.0.0.1:${SIP_PORT}`,
      SIP_TLS_PORT: String(TLS_PORT),
      SIP_TLS_KEY: tlsKey,
      SIP_TLS_CERT: cert,
      SIP_TLS_CA: BARESIP_CERTIFICATE.ca,
      RTP_PORTS: '29000-29398',
      ...more,
    };
    const running = ForeignProcess.start(process.execPath, ['dist/main.js'], folder, {
      cwd: process.cwd(),
      env,
    });
    const ready = () => /API\s+(\S+)\/api[^]*Model /.exec(running.output)?.[1];
    const ended = running.exited.then((code) => {
      throw new Error(`Prosa ended with ${code}: ${running.output.slice(-2_000)}`);
    });
    await Promise.race([until(() => ready() !== undefined, START_MS), ended]);
    ended.catch(() => undefined);
    return new Prosa(running, ready() ?? '', key);
  }

  async api<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.url}/api/user/${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as Answer;
  }

  /** A trunk to a far end on loopback that is trusted by its address, once it is served. */
  async addTrunk(
    farPort: number,
    protocol: 'udp' | 'tcp' | 'tls' = 'udp',
    settings: Record<string, unknown> = {},
  ): Promise<Trunk> {
    const number = `+5511300000${String(++this.trunks).padStart(2, '0')}`;
    const { data } = await this.api<{ data: { id: number } }>('POST', 'phone-numbers/sip-trunks', {
      sip_trunk_type: 'number',
      phone_number: number,
      sip_username: 'prosa',
      sip_password: 'secret',
      sip_address: `127.0.0.1:${farPort};transport=${protocol}`,
      sip_calling_format: 'e164',
      inbound_authorization_type: 'ip',
      allowed_inbound_ips: ['127.0.0.1'],
      country_code: 'BR',
      ...settings,
    });
    await until(async () => {
      const { data: trunk } = await this.api<{ data: { inbound_trunk_id: string | null } }>(
        'GET',
        `phone-numbers/sip-trunks/${data.id}`,
      );
      return trunk.inbound_trunk_id !== null;
    }, 60_000);
    return { id: data.id, number };
  }

  /** A number of the sandbox carrier, by its id. */
  async rentNumber(): Promise<number> {
    const found = await this.api<{ data: { phone_number: string }[] }>(
      'GET',
      'phone-numbers/search?country_code=US',
    );
    const { data } = await this.api<{ data: { id: number } }>('POST', 'phone-numbers/purchase', {
      phone_number: found.data[0]?.phone_number,
    });
    return data.id;
  }

  /** An active assistant that answers and calls by the trunk, and waits long for slow machines. */
  async addAssistant(
    trunk: Pick<Trunk, 'id'>,
    type: 'inbound' | 'outbound',
    overrides: Record<string, unknown> = {},
  ): Promise<number> {
    const { data } = await this.api<{ data: { id: number } }>('POST', 'assistant', {
      name: 'Recepção',
      voice_id: 1,
      language_id: 1,
      llm_model_id: 1,
      type,
      mode: 'pipeline',
      timezone: 'America/Sao_Paulo',
      initial_message: 'Olá! Como posso ajudar?',
      system_prompt: 'Você atende os clientes da Padaria Central. A padaria abre às 6 horas.',
      phone_number_id: trunk.id,
      max_silence_duration: 300,
      reengagement_interval: 300,
      ...overrides,
    });
    await this.api('PUT', `assistant/${data.id}`, { status: 'active' });
    return data.id;
  }

  async makeCall(assistantId: number, to: string): Promise<number> {
    const { call_id: id } = await this.api<{ call_id: number }>('POST', 'make_call', {
      phone_number: to,
      assistant_id: assistantId,
    });
    return id;
  }

  call(id: number): Promise<Call> {
    return this.api('GET', `calls/${id}`);
  }

  /** The recording of a call, once it is stored: mono samples of the customer, and of whom they heard. */
  async recording(id: number, rateHz = 8_000): Promise<RecordingSides> {
    const headers = { Authorization: `Bearer ${this.key}` };
    const response = await fetch(`${this.url}/api/user/calls/${id}/recording`, { headers });
    if (!response.ok) throw new Error(`the recording of ${id} answered ${response.status}`);
    const path = join(this.process.folder, `recording-${id}.ogg`);
    writeFileSync(path, Buffer.from(await response.arrayBuffer()));
    return recordingSides(path, rateHz, 60_000);
  }

  /** Calls, the newest first. */
  async calls(query = ''): Promise<readonly Call[]> {
    const { data } = await this.api<{ data: Call[] }>('GET', `calls?per_page=100${query}`);
    return data;
  }

  async finished(id: number, timeoutMs = 90_000): Promise<Call> {
    await until(async () => FINAL.includes((await this.call(id)).status), timeoutMs).catch(async () => {
      throw new Error(`call ${id} is ${(await this.call(id)).status} after ${timeoutMs} ms`);
    });
    return this.call(id);
  }

  stop(): Promise<void> {
    return this.process.stop(STOP_MS);
  }
}
