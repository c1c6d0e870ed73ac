import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { StoredResponsesService } from '../../src/modules/idempotency/stored-responses.service.js';
import { FileStorage } from '../../src/providers/storage/file-storage.js';
import type { TestAccount, TestApp } from './app.js';
import { createAssistant, openConversation } from './builders.js';
import { createCampaign, createLead } from './campaign-builders.js';

export const NUMBER = '+5511987654321';
/** As people write it. */
export const SPACED = '+55 (11) 98765-4321';
export const DIGITS = '5511987654321';
const NATIONAL = '(11) 98765-4321';
export const SHORT = '11987654321';
export const OTHER = '+5511912340000';
/** A spoken text, to check its erasure also in texts without the number. */
export const SAID = 'meu segredo de familia';

export interface FilledAccount {
  readonly campaign: number;
  readonly lead: number;
  readonly mentioningLead: number;
  readonly call: number;
  readonly mentioningCall: number;
  readonly conversation: string;
  readonly mentioningConversation: string;
  readonly recordingKey: string;
  readonly documentKey: string;
}

/** Rows and files in which an account can hold a person. */
export class PersonalDataRows {
  constructor(private readonly app: TestApp) {}

  /** Puts the person everywhere an account can hold them, in every form. */
  async fillAccount(account: TestAccount): Promise<FilledAccount> {
    const { userId } = account;
    const assistant = await createAssistant(this.app, account, { type: 'outbound', name: 'Bia' });
    const campaign = await createCampaign(this.app, account, { assistant_id: assistant.id });
    const lead = await createLead(this.app, account, campaign, { phone_number: NUMBER });
    await this.app.query('UPDATE leads SET variables = $2 WHERE id = $1', [
      lead,
      { name: SAID, phone: NATIONAL },
    ]);
    const mentioningLead = await createLead(this.app, account, campaign, { phone_number: OTHER });
    await this.app.query('UPDATE leads SET variables = $2 WHERE id = $1', [
      mentioningLead,
      { indicado_por: `Ana, ${SPACED}`, digits: 5_511_987_654_321, keep: 'fica' },
    ]);
    await this.app.query(
      `INSERT INTO lead_imports (user_id, campaign_id, status, file_name, refused, refusals)
       VALUES ($1, $2, 'completed', $3, 1, $4)`,
      [
        userId,
        campaign,
        `${DIGITS}.csv`,
        JSON.stringify([{ line: 2, reason: { key: 'leads.duplicate', params: { value: SHORT } } }]),
      ],
    );
    await this.app.query(
      `INSERT INTO lead_refusals (import_id, line, user_id, fields, reason, phone_numbers)
       SELECT id, line, $1, fields, '{"key": "leads.row_quotes"}', phone_numbers
       FROM lead_imports, jsonb_to_recordset($2::jsonb) AS row (line integer, fields jsonb, phone_numbers text[])
       WHERE user_id = $1`,
      [
        userId,
        JSON.stringify([
          { line: 2, fields: ['１１９８７６５４３２１', 'Ana'], phone_numbers: [NUMBER] },
          { line: 3, fields: ['x', `falar com ${SPACED}`], phone_numbers: [] },
          { line: 4, fields: ['x', 'falar com （１１）９８７６５－４３２１'], phone_numbers: [] },
          { line: 5, fields: ['x', '1187654321'], phone_numbers: [] },
          { line: 6, fields: [OTHER], phone_numbers: [OTHER] },
        ]),
      ],
    );
    const call = await this.addCall(userId, lead, NUMBER);
    const mentioningCall = await this.addCall(userId, null, OTHER);
    await this.addAttempt(userId, campaign, lead, call);
    const recordingKey = await this.storeRecording(userId, call);
    const conversation = await openConversation(
      this.app,
      assistant,
      { variables: { phone: SPACED, other_phone: SHORT, name: SAID } },
      account,
    );
    await this.app.query('UPDATE conversations SET lookup_variables = $2 WHERE id = $1', [
      conversation,
      JSON.stringify([`pedidos de ${SPACED}`]),
    ]);
    await this.addMessage(userId, conversation, 'customer', SAID);
    const mentioningConversation = await openConversation(this.app, assistant, {}, account);
    for (const tagged of [conversation, mentioningConversation])
      await this.app.query(
        'INSERT INTO conversation_tags (user_id, conversation_id, tag) VALUES ($1, $2, $3)',
        [userId, tagged, DIGITS],
      );
    await this.addMessage(userId, mentioningConversation, 'ai', `Ligue para ${NATIONAL} e fale com ela.`);
    await this.addDelivery(userId, assistant.id, call);
    await this.addSimulation(userId, assistant.id);
    await this.addKeptAnswer(`account:${userId}`);
    await this.addKeptAnswer(`account:${userId}`);
    await this.addKeptAnswer(`conversation:${conversation}`);
    await this.app
      .as(account)
      .post('/api/user/do-not-call')
      .send({ phone_number: NUMBER, reason: `Pediu pelo ${SPACED}` })
      .expect(201);
    await this.app.query(
      `INSERT INTO number_verifications (user_id, call_key, phone_number, country_code, language, caller_number, carrier,
         status, called_at, ended_at, expires_at)
       VALUES ($1, gen_random_uuid(), $2, 'BR', 'pt', '+551130000000', 'sandbox', 'verified', now(), now(), now())`,
      [userId, NUMBER],
    );
    const documentKey = await this.addDocument(userId);
    return {
      campaign,
      lead,
      mentioningLead,
      call,
      mentioningCall,
      conversation,
      mentioningConversation,
      recordingKey,
      documentKey,
    };
  }

  async addCall(userId: number, lead: number | null, client: string): Promise<number> {
    const said = client === NUMBER ? SAID : 'bom dia';
    const [row] = await this.app.query<{ id: number }>(
      `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, lead_id, transcript,
         input_variables, variables, evaluation, webhook_response, duration_seconds, ai_cost_micros, recording_enabled,
         ended_at)
       VALUES ($1, 'Bia', 'outbound', 'completed', $2, $3, $4, $5, $5, $6, $6, 42, 70000, true, now()) RETURNING id`,
      [
        userId,
        client,
        lead,
        `Cliente: ${said}, meu número é ${NATIONAL}.`,
        { callback: SHORT },
        { summary: `${said} ${DIGITS}` },
      ],
    );
    const id = row?.id ?? 0;
    await this.app.query(
      `INSERT INTO call_turns (call_id, user_id, position, role, text, start_ms, end_ms, interrupted)
       VALUES ($1, $2, 0, 'customer', $3, 0, 900, false)`,
      [id, userId, `${said} no ${SPACED}`],
    );
    await this.app.query('INSERT INTO call_notes (user_id, call_id, text) VALUES ($1, $2, $3)', [
      userId,
      id,
      `Retornar para ${SPACED}`,
    ]);
    await this.app.query('INSERT INTO call_tags (user_id, call_id, tag) VALUES ($1, $2, $3)', [
      userId,
      id,
      DIGITS,
    ]);
    return id;
  }

  private addAttempt(userId: number, campaign: number, lead: number, call: number) {
    return this.app.query(
      `INSERT INTO dial_attempts (id, user_id, campaign_id, lead_id, call_id, number, state, outcome,
         from_phone_number, to_phone_number, lease_until, settled_at)
       VALUES ($1, $2, $3, $4, $5, 1, 'settled', 'answered', '+5511900000000', $6, now(), now())`,
      [randomUUID(), userId, campaign, lead, call, NUMBER],
    );
  }

  private async storeRecording(userId: number, call: number): Promise<string> {
    const key = `recordings/${userId}/${call}-${randomUUID()}.ogg`;
    await this.app.app
      .get(FileStorage, { strict: false })
      .put(key, Readable.from([Buffer.from(SAID)]), { bytes: SAID.length, contentType: 'audio/ogg' });
    await this.app.query('UPDATE calls SET recording_key = $2, recording_bytes = $3 WHERE id = $1', [
      call,
      key,
      SAID.length,
    ]);
    return key;
  }

  private async addMessage(userId: number, conversation: string, author: string, content: string) {
    await this.app.query(
      `INSERT INTO messages (conversation_id, user_id, role, author, content, function_calls, cost_micros)
       VALUES ($1, $2, $3, $4, $5, $6, 10000)`,
      [
        conversation,
        userId,
        author === 'customer' ? 'user' : 'assistant',
        author,
        content,
        JSON.stringify([{ name: 'agendar', arguments: { fone: DIGITS } }]),
      ],
    );
    await this.app.query(
      'UPDATE conversations SET last_message = $2, last_author = $3, last_message_at = now() WHERE id = $1',
      [conversation, content, author],
    );
  }

  private async addDelivery(userId: number, assistant: number, call: number): Promise<void> {
    const [endpoint] = await this.app.query<{ id: number }>(
      `INSERT INTO webhook_endpoints (user_id, url, url_hash, host) VALUES ($1, 'https://example.com', $2, 'example.com')
       RETURNING id`,
      [userId, randomUUID()],
    );
    const [delivery] = await this.app.query<{ id: number }>(
      `INSERT INTO webhook_deliveries (user_id, endpoint_id, assistant_id, event_id, kind, subject_id, body)
       VALUES ($1, $2, $3, $4, 'post-call', $5, $6) RETURNING id`,
      [
        userId,
        endpoint?.id,
        assistant,
        `msg_${randomUUID()}`,
        String(call),
        JSON.stringify({ phone: NUMBER, said: SAID }),
      ],
    );
    await this.app.query(
      `INSERT INTO webhook_attempts (delivery_id, number, finished_at, status_code, response_body)
       VALUES ($1, 1, now(), 200, $2)`,
      [delivery?.id, `ok ${SPACED}`],
    );
    await this.app.query(
      `INSERT INTO plugin_events (plugin, kind, event_id, user_id, subject_id, body, last_error, failed_at)
       VALUES ('crm', 'call.ended', $1, $2, $3, $4, $5, now())`,
      [`msg_${randomUUID()}`, userId, String(call), JSON.stringify({ said: SAID }), `no card of ${SPACED}`],
    );
  }

  private async addSimulation(userId: number, assistant: number): Promise<void> {
    const [simulation] = await this.app.query<{ id: number }>(
      `INSERT INTO simulations (user_id, assistant_id, system_prompt, scenario, runs, status, finished_at)
       VALUES ($1, $2, 'x', $3, 1, 'completed', now()) RETURNING id`,
      [userId, assistant, { variables: { customer_phone: SPACED }, checks: [] }],
    );
    await this.app.query(
      `INSERT INTO simulation_runs (user_id, simulation_id, number, status, transcript, finished_at)
       VALUES ($1, $2, 1, 'passed', $3, now())`,
      [userId, simulation?.id, JSON.stringify([{ role: 'customer', text: `${SAID} no ${NATIONAL}` }])],
    );
  }

  private addKeptAnswer(scope: string) {
    const keyHash = randomBytes(32);
    const answers = this.app.app.get(StoredResponsesService, { strict: false });
    return this.app.query(
      `INSERT INTO idempotency_keys (key_hash, scope, request_hash, lease_token, leased_until, response_status, sealed_body,
         expires_at)
       VALUES ($1, $2, sha256('x'), gen_random_uuid(), now(), 200, $3, now() + interval '1 day')`,
      [keyHash, scope, answers.seal(keyHash, JSON.stringify({ phone_number: NUMBER, said: SAID }))],
    );
  }

  async addDocument(userId: number): Promise<string> {
    const key = `documents/${userId}/${randomUUID()}.txt`;
    const content = `Contatos: Ana ${NATIONAL}, ${SAID}`;
    await this.app.app.get(FileStorage, { strict: false }).put(key, Readable.from([Buffer.from(content)]), {
      bytes: Buffer.byteLength(content),
      contentType: 'text/plain',
    });
    const idOf = async (sql: string, parameters: unknown[]) =>
      (await this.app.query<{ id: number }>(sql, parameters))[0]?.id ?? 0;
    const base = await idOf(
      "INSERT INTO knowledgebases (user_id, name, status) VALUES ($1, 'Base', 'active') RETURNING id",
      [userId],
    );
    const document = await idOf(
      `INSERT INTO documents (user_id, knowledgebase_id, name, type, status)
       VALUES ($1, $2, 'Contatos', 'txt', 'active') RETURNING id`,
      [userId, base],
    );
    const source = await idOf(
      `INSERT INTO document_sources (user_id, document_id, version, position, file_key, is_given, state)
       VALUES ($1, $2, 1, 0, $3, true, 'done') RETURNING id`,
      [userId, document, key],
    );
    await this.app.query(
      `INSERT INTO document_chunks (user_id, knowledgebase_id, document_id, source_id, version, position, heading,
         content, tokens, language, search, embedding, embedding_space)
       VALUES ($1, $2, $3, $4, 1, 0, '', $5, 10, 'pt', to_tsvector('simple', $5), '{0.1,0.2}', 'test')`,
      [userId, base, document, source, content],
    );
    return key;
  }
}
