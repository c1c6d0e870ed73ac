import { Database } from '../../src/database/database.js';
import { type TestAccount, TestApp } from './app.js';
import { assistantBody } from './builders.js';

export type Body = Record<string, any>;

/** An id that nothing has. */
export const MISSING = 2_000_000_000;

/** Of the bundled catalogue. */
export const CATALOG = {
  english: 2,
  icelandic: 34,
  openaiVoice: 1,
  pipelineVoice: 11,
  elevenlabsVoice: 101,
  llm: 1,
  otherLlm: 2,
  realtime: 101,
  otherRealtime: 102,
  elevenlabs: 1,
  openaiSynthesizer: 4,
  deepgram: 1,
  gladia: 3,
} as const;

export const MULTIMODAL = {
  mode: 'multimodal',
  llm_model_id: undefined,
  multimodal_model_id: CATALOG.realtime,
  voice_id: CATALOG.openaiVoice,
};
export const DUALPLEX = { ...MULTIMODAL, mode: 'dualplex', voice_id: CATALOG.elevenlabsVoice };

export const callTransfer = (overrides: Body = {}) => ({
  type: 'call_transfer',
  phone_number: '+5511987654321',
  ...overrides,
});

export const warmTransfer = (outboundPhoneId: number, overrides: Body = {}) => ({
  type: 'warm_call_transfer',
  supervisor_phone: '+5511987654321',
  outbound_phone_id: outboundPhoneId,
  description: 'Quando pedirem um gerente',
  ...overrides,
});

export const calendar = (overrides: Body = {}) => ({
  type: 'calendar_integration',
  extcal_api_key: 'cal_live_0123456789abcd',
  extcal_event_slug: 'visit',
  ...overrides,
});

/** The routes of assistants, on an application with an account and another one. */
export class AssistantsApi {
  private numbers = 0;

  private constructor(
    readonly app: TestApp,
    readonly account: TestAccount,
    readonly stranger: TestAccount,
  ) {}

  static async start(): Promise<AssistantsApi> {
    const app = await TestApp.start();
    return new AssistantsApi(app, await app.account(), await app.account());
  }

  create(overrides: Body = {}, owner = this.account) {
    return this.app.as(owner).post('/api/user/assistant').send(assistantBody(overrides));
  }

  async created(overrides: Body = {}, owner = this.account): Promise<number> {
    return (await this.create(overrides, owner).expect(201)).body.data.id;
  }

  async read(id: number, owner = this.account): Promise<Body> {
    return (await this.app.as(owner).get(`/api/user/assistant/${id}`).expect(200)).body;
  }

  update(id: number, body: Body, owner = this.account) {
    return this.app.as(owner).put(`/api/user/assistant/${id}`).send(body);
  }

  async list(path: string, owner = this.account): Promise<Body[]> {
    return (await this.app.as(owner).get(`/api/user/assistants${path}`).expect(200)).body;
  }

  number(owner = this.account, type = 'normal'): Promise<number> {
    return this.insert('phone_numbers', {
      user_id: owner.userId,
      // A number is rented once in the whole installation.
      phone_number: `+55119${String(10_000_000 + this.numbers++)}`,
      country_code: 'BR',
      type,
    });
  }

  knowledgebase(owner = this.account): Promise<number> {
    return this.insert('knowledgebases', { user_id: owner.userId, name: 'Manual', status: 'active' });
  }

  folder(owner = this.account): Promise<number> {
    return this.insert('folders', { user_id: owner.userId, name: `Pasta ${Math.random()}` });
  }

  remove(table: string, id: number) {
    return this.app.app.get(Database).query(`DELETE FROM ${table} WHERE id = $1`, [id]);
  }

  private async insert(table: string, row: Body): Promise<number> {
    const columns = Object.keys(row);
    const [inserted] = await this.app.app
      .get(Database)
      .query<{ id: number }>(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, i) => `$${i + 1}`).join(', ')}) RETURNING id`,
        Object.values(row),
      );
    return inserted!.id;
  }
}
