import { randomUUID } from 'node:crypto';
import { type FunctionDatabase, sql, type Values } from './function-database.js';

let serial = 0;

/** The least columns of a row beyond the ids that it refers to, which the test gives. */
const LEAST: Readonly<Record<string, () => Values>> = {
  users: () => ({
    plan_id: sql("(SELECT id FROM plans WHERE code = 'unlimited')"),
    name: 'Ana',
    email: `user${++serial}@example.com`,
  }),
  assistants: () => ({
    uuid: randomUUID(),
    name: 'Recepção',
    type: 'inbound',
    mode: 'pipeline',
    language_id: 1,
    voice_id: 1,
    llm_model_id: 1,
    config: {},
  }),
  tools: () => ({
    name: 'get_weather',
    description: 'Previsão do tempo',
    endpoint: 'https://example.com/weather',
    method: 'GET',
    sealed_headers: '',
  }),
  mcp_servers: () => ({ name: `crm${++serial}`, url: 'https://mcp.example.com/mcp', sealed_headers: '' }),
  mcp_tools: () => ({
    name: `search${++serial}`,
    description: 'Busca',
    input_schema: { type: 'object' },
    definition_hash: 'hash',
  }),
  knowledgebases: () => ({ name: 'Produtos' }),
  conversations: () => ({ id: randomUUID(), type: 'widget' }),
  messages: () => ({ role: 'user', author: 'customer', content: 'Olá' }),
  holds: () => ({ id: randomUUID(), kind: 'message', amount_micros: 50, reference: `message:${++serial}` }),
  campaigns: () => ({
    name: 'Renovação',
    timezone: 'America/Sao_Paulo',
    max_calls_in_parallel: 1,
    allowed_hours_start_time: '08:00',
    allowed_hours_end_time: '18:00',
    allowed_days: ['monday'],
    max_retries: 3,
    retry_interval_minutes: 10,
    retry_on_voicemail: false,
    retry_on_goal_incomplete: false,
    mark_complete_when_no_leads: false,
  }),
  leads: () => ({ phone_number: `+55119${80_000_000 + ++serial}` }),
  calls: () => ({ assistant_name: 'Recepção', type: 'outbound', client_phone_number: '+5511987654321' }),
  webhook_endpoints: () => ({
    url: `https://example.com/${++serial}`,
    url_hash: `hash${serial}`,
    host: 'example.com',
  }),
  webhook_subscriptions: () => ({ sealed_secret: '' }),
};

/** Adds rows with the least columns; a test gives the ids and the columns that it is about. */
export class RowBuilders {
  constructor(private readonly database: FunctionDatabase) {}

  async add<Row = { id: number }>(table: string, values: Values): Promise<Row> {
    return this.database.insert<Row>(table, { ...LEAST[table]?.(), ...values });
  }

  async id(table: string, values: Values): Promise<number> {
    return (await this.add<{ id: number }>(table, values)).id;
  }

  async uuid(table: string, values: Values): Promise<string> {
    return (await this.add<{ id: string }>(table, values)).id;
  }

  /** A plugin that listens to a kind of event. */
  async listener(kind: string, plugin = 'crm'): Promise<void> {
    await this.add('plugin_event_listeners', { plugin, kind });
  }

  /** An account with its wallet. */
  async account(wallet: Values = {}): Promise<number> {
    const userId = await this.id('users', {});
    await this.add('wallets', { user_id: userId, ...wallet });
    return userId;
  }

  /** An assistant of the account, with these settings. */
  assistant(userId: number, config: Values = {}, values: Values = {}): Promise<number> {
    return this.id('assistants', { user_id: userId, config, ...values });
  }

  /** A SIP trunk with its number; both have one id. */
  async trunk(userId: number): Promise<number> {
    const number = { user_id: userId, phone_number: `ramal-${++serial}` };
    const id = await this.id('phone_numbers', { ...number, country_code: 'BR', type: 'sip' });
    return this.id('sip_trunks', {
      ...number,
      id,
      type: 'extension',
      username: 'prosa',
      sealed_password: '',
      address: 'sip.example.com',
      calling_format: '+e164',
      inbound_authorization_type: 'auth',
    });
  }

  /** Who hears of events: of the given kinds, or of all. */
  async subscription(userId: number, values: Values = {}): Promise<number> {
    const endpointId = await this.id('webhook_endpoints', { user_id: userId });
    return this.id('webhook_subscriptions', { user_id: userId, endpoint_id: endpointId, ...values });
  }
}
