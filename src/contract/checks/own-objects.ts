import { type Check, type CheckContext, dataOf, SkippedError, must, mustBe, mustName } from '../check.js';
import type { Body } from '../contract-client.js';

/** Makes something and has it deleted at the end of the check, unless the check does so. */
async function make(context: CheckContext, path: string, body: object, at: (id: number) => string) {
  const { id } = dataOf(await context.client.post(path, { status: 201, body }).catch(leftOutAtLimit));
  let isDeleted = false;
  const remove = async () => {
    if (isDeleted) return;
    await context.client.delete(at(id));
    isDeleted = true;
  };
  context.afterwards(remove);
  return { id, path: at(id), remove };
}

/** A full plan says nothing about the contract. */
function leftOutAtLimit(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  if (/answers 422/.test(message) && !message.includes('"errors"'))
    throw new SkippedError(`the plan of the account allows no more: ${message}`);
  throw error;
}

async function firstOf({ client }: CheckContext, list: string): Promise<number> {
  const rows = (await client.get(`/api/user/assistants/${list}`)) as unknown as { id: number }[];
  const [first] = rows;
  if (!first) throw new SkippedError(`/api/user/assistants/${list} is empty`);
  return first.id;
}

async function makeAssistant(context: CheckContext, overrides: object) {
  const body = {
    name: context.mark,
    type: 'inbound',
    mode: 'pipeline',
    language_id: await firstOf(context, 'languages'),
    voice_id: await firstOf(context, 'voices?mode=pipeline'),
    llm_model_id: await firstOf(context, 'models?type=llm'),
    timezone: 'America/Sao_Paulo',
    initial_message: 'Olá! Como posso ajudar?',
    system_prompt: 'Você atende os clientes da Padaria Central.',
    ...overrides,
  };
  return make(context, '/api/user/assistant', body, (id) => `/api/user/assistant/${id}`);
}

function makeTool(context: CheckContext, overrides: object = {}) {
  const body = {
    name: 'contract_check',
    description: context.mark,
    endpoint: 'https://example.com/{city}',
    method: 'GET',
    ...overrides,
  };
  return make(context, '/api/user/tools', body, (id) => `/api/user/tools/${id}`);
}

async function mustBeGone({ client }: CheckContext, path: string, field: 'message' | 'error') {
  const body = await client.delete(path, { status: 404 });
  mustBe('the list of fields of the second deletion', Object.keys(body), [field]);
}

const apiKey: Check = {
  group: 'Makes and deletes',
  title: 'an API key: its token is shown once, and works',
  run: async (context) => {
    const { client, mark } = context;
    const { api_key: made } = (await client.post('/api/user/api-keys', {
      status: 201,
      body: { name: mark },
    })) as {
      api_key: { name: string; token: string };
    };
    const listed = async () =>
      ((await client.get('/api/user/api-keys')) as { api_keys: { id: number; name: string }[] }).api_keys;
    const own = (await listed()).find(({ name }) => name === mark);
    context.afterwards(async () => {
      const left = (await listed()).find(({ name }) => name === mark);
      if (left) await client.delete(`/api/user/api-keys/${left.id}`);
    });
    must(own !== undefined, 'the new key is not in the list');
    must(!JSON.stringify(own).includes(made.token), 'the list shows the token');
    await client.get('/api/user/me', { token: made.token });
    await client.delete(`/api/user/api-keys/${own?.id}`);
    await client.get('/api/user/me', { token: made.token, status: 401 });
  },
};

const folder: Check = {
  group: 'Makes and deletes',
  title: 'a folder',
  run: async (context) => {
    const { client, mark } = context;
    const made = await make(context, '/api/user/folder', { name: mark }, (id) => `/api/user/folder/${id}`);
    const changed = await client.put(made.path, { body: { name: `${mark}-2` } });
    mustBe('name', dataOf(changed).name, `${mark}-2`);
    await made.remove();
    await mustBeGone(context, made.path, 'message');
  },
};

const tool: Check = {
  group: 'Makes and deletes',
  title: 'a mid-call tool: defaults, and headers and schema replaced whole',
  run: async (context) => {
    const { client } = context;
    const made = await makeTool(context, {
      headers: [{ name: 'X-One', value: '1' }],
      schema: [{ name: 'city', type: 'string', description: 'Nome da cidade' }],
    });
    const read = await client.get(made.path);
    mustBe('timeout', read.timeout, 10);
    mustBe('headers', read.headers, [{ name: 'X-One', value: '1' }]);
    const body = { headers: [{ name: 'X-Two', value: '2' }], timeout: 5 };
    const changed = dataOf(await client.put(made.path, { body }));
    mustBe('headers', changed.headers, body.headers);
    mustBe('schema, which was not sent', changed.schema, read.schema);
    mustName('timeout', await client.put(made.path, { status: 422, body: { timeout: 31 } }));
    await made.remove();
    await mustBeGone(context, made.path, 'message');
  },
};

const knowledgebase: Check = {
  group: 'Makes and deletes',
  title: 'a knowledge base without documents',
  run: async (context) => {
    const { client, mark } = context;
    const at = (id: number) => `/api/user/knowledgebases/${id}`;
    const made = await make(context, '/api/user/knowledgebases', { name: mark }, at);
    const changed = await client.put(made.path, { body: { description: 'Preços' } });
    mustBe('name, which was not sent', dataOf(changed).name, mark);
    mustName('name', await client.put(made.path, { status: 422, body: { name: 'x'.repeat(256) } }));
    await made.remove();
    await mustBeGone(context, made.path, 'error');
  },
};

const assistant: Check = {
  group: 'Makes and deletes',
  title: 'an assistant: inactive, its inbound webhook, a tool attached and detached',
  run: async (context) => {
    const { client } = context;
    const attached = await makeTool(context);
    const made = await makeAssistant(context, { tool_ids: [attached.id] });
    const read = await client.get(made.path);
    mustBe('status of a new assistant', read.status, 'inactive');
    mustBe('tool_ids', read.tool_ids, [attached.id]);
    const disabled = await client.post('/api/user/assistants/disable-inbound-webhook', {
      body: { assistant_id: made.id },
    });
    mustBe('data', disabled.data, []);
    await client.put(made.path, { body: { tool_ids: [], speech_speed: 1.1 } });
    const changed = await client.get(made.path);
    mustBe(
      'tool_ids, name and speech_speed',
      [changed.tool_ids, changed.name, changed.speech_speed],
      [[], context.mark, 1.1],
    );
    mustName('speech_speed', await client.put(made.path, { status: 422, body: { speech_speed: 2 } }));
    await made.remove();
    await mustBeGone(context, made.path, 'message');
  },
};

const campaign: Check = {
  group: 'Makes and deletes',
  title: 'a campaign that is not started, with a lead',
  run: async (context) => {
    const { client, mark } = context;
    const outbound = await makeAssistant(context, { type: 'outbound' });
    const body = { name: mark, assistant_id: outbound.id };
    const made = await make(context, '/api/user/campaign', body, (id) => `/api/user/campaign/${id}`);
    const added = await client.post('/api/user/lead', {
      body: { campaign_id: made.id, phone_number: '+5511987654321', variables: { nome: 'Ana' } },
    });
    const lead = dataOf(added);
    mustBe('status of a new lead', lead.status, 'created');
    await leadRules(context, `/api/user/leads/${lead.id}`);
    await client.delete(`/api/user/leads/${lead.id}`);
    await client.get(`/api/user/leads/${lead.id}`, { status: 404 });
    await made.remove();
    await mustBeGone(context, made.path, 'message');
  },
};

async function leadRules({ client }: CheckContext, path: string): Promise<void> {
  const refused = (body: object): Promise<Body> => client.put(path, { status: 422, body });
  const unknown = await refused({ nickname: 'x', age: 1 });
  mustBe('message', unknown.message, 'Campos inválidos: nickname, age');
  mustName('status', await refused({ status: 'completed' }));
  await refused({ phone_number: '12' });
  await client.put(path, { body: { variables: { idade: 30 } } });
  mustBe('variables', (await client.get(path)).variables, { nome: 'Ana', idade: 30 });
}

const conversation: Check = {
  group: 'Chat',
  title: 'a test conversation: answered by the model, and silent while the AI is off',
  spends: 'asks the model, and leaves a closed conversation behind',
  run: async (context) => {
    const { client } = context;
    const talker = await makeAssistant(context, {});
    const opened = await client.post('/api/user/conversations', {
      status: 201,
      body: { assistant_id: talker.id },
    });
    const uuid = String(dataOf(opened).conversation_id);
    context.afterwards(() => client.post(`/api/user/conversations/${uuid}/close`));
    const say = (message: string) =>
      client.post(`/api/conversations/${uuid}/messages`, { token: null, body: { message } });
    const answered = await say('Olá');
    mustBe('status', answered.status, true);
    must(answered.message !== '', 'the model has answered nothing');
    const without = await client.post(`/api/conversations/${uuid}/messages`, {
      status: 422,
      token: null,
      body: {},
    });
    mustName('message', without);
    const off = await client.post(`/api/automate/conversations/${uuid}/disable-ai`);
    mustBe('the body', off, { status: true, ai_enabled: false });
    await say('Ainda está aí?');
  },
};

/** What is made, read, changed and deleted again. */
export const OWN_OBJECT_CHECKS: readonly Check[] = [
  apiKey,
  folder,
  tool,
  knowledgebase,
  assistant,
  campaign,
  conversation,
];
