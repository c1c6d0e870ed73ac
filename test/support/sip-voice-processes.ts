import type { TestAccount, TestApp } from './app.js';
import { createAssistant } from './builders.js';
import type { ProsaProcess } from './prosa-process.js';
import { startWith } from './prosa-processes.js';
import { until } from './until.js';

const WAIT_MS = 120_000;

/** What is sent for a trunk to an operator on this machine, which is trusted by its address. */
export function operatorTrunk(phoneNumber: string, operatorPort: number): Record<string, unknown> {
  return {
    sip_trunk_type: 'number',
    phone_number: phoneNumber,
    sip_username: 'prosa',
    sip_password: 'secret',
    sip_address: `127.0.0.1:${operatorPort};transport=udp`,
    sip_calling_format: '+e164',
    inbound_authorization_type: 'ip',
    allowed_inbound_ips: ['127.0.0.1'],
    country_code: 'BR',
  };
}

/** Voice processes that share the database and the folder for files with an application in this process. */
export class SipVoiceProcesses {
  /** Oldest first: it has the trunks. */
  readonly running: ProsaProcess[] = [];

  constructor(
    private readonly app: TestApp,
    private readonly folder: string,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /** @param more settings in addition to the common ones */
  async start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const process = startWith(this.app, this.folder, { PROSA_ROLES: 'voice', ...this.settings, ...more });
    this.running.push(process);
    await process.says(/Voice is ready/);
  }

  /** Until one has the trunks. */
  async served(): Promise<void> {
    const isServed = async () =>
      (await this.app.query("SELECT FROM voice_processes WHERE 'sip' = ANY(carriers)")).length > 0;
    await until(isServed, WAIT_MS);
  }

  /** A number behind a trunk, with an active assistant, once it is served. */
  async addNumber(
    owner: TestAccount,
    trunk: Readonly<Record<string, unknown>>,
    assistantOf: (trunkId: number) => Record<string, unknown>,
  ): Promise<string> {
    const { app } = this;
    const { body } = await app
      .as(owner)
      .post('/api/user/phone-numbers/sip-trunks')
      .send({ ...trunk })
      .expect(201);
    const { id, phone_number: number } = body.data as { id: number; phone_number: string };
    const assistant = await createAssistant(app, owner, { phone_number_id: id, ...assistantOf(id) });
    await app.as(owner).put(`/api/user/assistant/${assistant.id}`).send({ status: 'active' }).expect(200);
    const isKnown = async () =>
      (await app.query('SELECT FROM sip_trunk_states WHERE trunk_id = $1', [id])).length > 0;
    await until(isKnown, WAIT_MS);
    return number;
  }

  async stop(): Promise<void> {
    for (const process of this.running) process.kill('SIGKILL');
    await Promise.all(this.running.map((process) => process.exit()));
  }
}
