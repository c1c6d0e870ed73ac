import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { ElevenLabsFake } from '../support/speech-fakes/elevenlabs-fake.js';

interface Turn {
  readonly response_ms: number;
  readonly model_ms: number | null;
}

const SARAH = 101;
const ELEVENLABS = 1;

describe('GET /api/user/assistant/{id}/call-estimate', () => {
  const eleven = new ElevenLabsFake();
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    await eleven.start();
    app = await TestApp.start({
      CALL_PRICE_PER_MINUTE: '0.03',
      CARRIER_PRICE_PER_MINUTE: '0.005',
      ELEVEN_API_KEY: 'key-of-the-installation',
      ELEVEN_BASE_URL: eleven.url,
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
    });
    owner = await app.account();
  });
  afterAll(async () => {
    await app.stop();
    await eleven.stop();
  });

  const estimateOf = async (id: number, who = owner) =>
    (await app.as(who).get(`/api/user/assistant/${id}/call-estimate`).expect(200)).body;

  async function addCall(
    assistantId: number,
    { seconds = 0, aiMicros = 0, carrierMicros = 0, turns = [] as readonly Turn[] },
  ): Promise<void> {
    const parts = { endpointing_ms: 300, recognition_ms: 100, synthesis_ms: null, platform_ms: 5, at_ms: 0 };
    const quality = { turns: turns.map((turn) => ({ ...parts, ...turn })) };
    await app.query(
      `INSERT INTO calls (user_id, assistant_id, assistant_name, type, status, client_phone_number, duration_seconds,
         ai_cost_micros, carrier_cost_micros, quality, ended_at)
       VALUES ($1, $2, 'Bia', 'outbound', $3, '+5511987654321', $4, $5, $6, $7, now())`,
      [
        owner.userId,
        assistantId,
        seconds > 0 ? 'completed' : 'no-answer',
        seconds,
        aiMicros,
        carrierMicros,
        turns.length > 0 ? JSON.stringify(quality) : null,
      ],
    );
  }

  it('has the prices of the installation, and nothing measured before the first call', async () => {
    const { id } = await createAssistant(app, owner);
    await addCall(id, {});
    expect(await estimateOf(id)).toEqual({
      assistant_per_minute: 0.03,
      phone_per_minute: 0.005,
      own_keys: [],
      recent_calls: null,
    });
  });

  it('has what the last calls of this assistant cost a minute, and how long their answers took', async () => {
    const { id } = await createAssistant(app, owner);
    const { id: another } = await createAssistant(app, owner);
    await addCall(another, { seconds: 60, aiMicros: 999_999 });
    await addCall(id, {
      seconds: 90,
      aiMicros: 45_000,
      carrierMicros: 7_500,
      turns: [
        { response_ms: 600, model_ms: 200 },
        { response_ms: 900, model_ms: 400 },
        { response_ms: 700, model_ms: null },
      ],
    });
    // A call in the browser, without a line that costs.
    await addCall(id, { seconds: 30, aiMicros: 15_000 });
    expect((await estimateOf(id)).recent_calls).toEqual({
      count: 2,
      minutes: 2,
      cost_per_minute: 0.03375,
      phone_per_minute: 0.00375,
      response_ms: {
        p50: 700,
        p95: 900,
        endpointing: 300,
        recognition: 100,
        model: 200,
        synthesis: null,
      },
    });
  });

  it('names what a key of the account is used for, as far as the assistant uses it', async () => {
    const other = await app.account();
    const settings = { voice_id: SARAH, synthesizer_provider_id: ELEVENLABS };
    const { id } = await createAssistant(app, other, settings);
    expect((await estimateOf(id, other)).own_keys).toEqual([]);
    const path = '/api/user/model-keys/speech/elevenlabs';
    await app.as(other).put(path).send({ api_key: 'own-key-0123456789' }).expect(200);
    expect((await estimateOf(id, other)).own_keys).toEqual(['voice']);
    const { id: withAnotherVoice } = await createAssistant(app, other, { voice_id: 301 });
    expect((await estimateOf(withAnotherVoice, other)).own_keys).toEqual([]);
  });

  it("is not there for another account's assistant", async () => {
    const { id } = await createAssistant(app, owner);
    const { body } = await app
      .as(await app.account())
      .get(`/api/user/assistant/${id}/call-estimate`)
      .expect(404);
    expect(body).toEqual({ message: 'Assistente não encontrado' });
  });
});
