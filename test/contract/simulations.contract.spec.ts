import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, createTool } from '../support/builders.js';
import { setDailyUsage } from '../support/daily-usage.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { until } from '../support/until.js';

const PROMPT = 'Você atende os clientes da Padaria Central. A padaria abre às 6 horas.';
const GREETING = 'Olá! Como posso ajudar?';

interface Simulation {
  readonly id: number;
  readonly status: string;
  readonly totals: Record<string, number | null>;
  readonly results: readonly Run[];
  readonly [field: string]: unknown;
}

interface Run {
  readonly status: string;
  readonly ended_by: string | null;
  readonly transcript: readonly { role: string; text: string; function_calls: readonly object[] }[];
  readonly checks: readonly { check: number; passed: boolean; reason: string }[];
  readonly error: string | null;
}

describe('Simulations', () => {
  let app: TestApp;
  let account: TestAccount;
  let assistant: number;
  let shop: LocalServer;

  beforeAll(async () => {
    app = await TestApp.start({ PROSA_ROLES: 'api,worker', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
    shop = await LocalServer.start((_request, response) => answerJson(response, { status: 'na rua' }));
    account = await app.account();
    const tool = await createTool(app, account, {
      name: 'track_order',
      description: 'Rastreia um pedido',
      endpoint: `${shop.url}/orders/{order_number}`,
      schema: [{ name: 'order_number', type: 'number', description: 'Número do pedido' }],
    });
    ({ id: assistant } = await createAssistant(app, account, {
      system_prompt: PROMPT,
      tool_ids: [tool],
      tools: [{ type: 'end_call', description: 'Quando o cliente pedir para encerrar a conversa' }],
    }));
  });
  afterAll(async () => {
    await app.stop();
    await shop.stop();
  });

  const path = () => `/api/user/assistant/${assistant}/simulations`;
  const script = (...lines: string[]) => ({ type: 'script', lines });
  const begin = (body: object) => app.as(account).post(path()).send(body);
  const read = async (id: number): Promise<Simulation> =>
    (await app.as(account).get(`/api/user/simulations/${id}`).expect(200)).body;
  const play = async (body: object): Promise<Simulation> => {
    const { id } = (await begin(body).expect(202)).body.data;
    await until(async () => (await read(id)).status === 'completed', 20_000);
    return read(id);
  };
  /** What came of each check of the only run. */
  const outcomes = async (lines: readonly string[], checks: readonly object[], more: object = {}) => {
    const { results } = await play({ customer: script(...lines), checks, ...more });
    return results[0]?.checks.map(({ passed, reason }) => [passed, reason]);
  };

  it('are begun, played by a worker, read, listed and deleted', async () => {
    const sent = {
      name: 'Horário',
      runs: 3,
      max_turns: 4,
      customer: script('A que horas a padaria abre?'),
      checks: [{ type: 'says', text: '6 HORAS' }],
      variables: { customer_name: 'Ana' },
    };
    const { body } = await begin(sent).expect(202);
    expect(body).toMatchObject({
      message: 'Simulação iniciada',
      data: {
        ...sent,
        assistant_id: assistant,
        status: 'processing',
        tools: 'mock',
        mock_results: {},
        prompt_version_id: expect.any(Number),
        totals: { pending: 3, passed: 0, failed: 0, errors: 0, input_tokens: null, output_tokens: null },
        finished_at: null,
      },
    });
    const { id } = body.data;
    await until(async () => (await read(id)).status === 'completed', 20_000);
    const simulation = await read(id);
    expect(simulation).toMatchObject({ ...sent, totals: { pending: 0, passed: 3, failed: 0, errors: 0 } });
    expect(simulation.finished_at).not.toBeNull();
    for (const run of simulation.results) {
      expect(run).toMatchObject({
        status: 'passed',
        ended_by: 'customer',
        error: null,
        transcript: [
          { role: 'assistant', text: GREETING, function_calls: [] },
          { role: 'customer', text: 'A que horas a padaria abre?', function_calls: [] },
          { role: 'assistant', text: 'A padaria abre às 6 horas.', function_calls: [] },
        ],
        checks: [{ check: 0, passed: true, reason: 'O texto está na mensagem 2 do assistente.' }],
      });
    }
    const { body: page } = await app.as(account).get(`${path()}?per_page=1`).expect(200);
    const { id: _id, results: _results, customer: _customer, ...rest } = simulation;
    expect(page.data).toEqual([expect.objectContaining({ id, totals: rest.totals, name: 'Horário' })]);
    expect(page.data[0]).not.toHaveProperty('results');
    await app.as(account).delete(`/api/user/simulations/${id}`).expect(200);
    const gone = await app.as(account).get(`/api/user/simulations/${id}`).expect(404);
    expect(gone.body).toEqual({ message: 'Simulação não encontrada' });
    await app.as(account).delete(`/api/user/simulations/${id}`).expect(404);
    expect(await app.query('SELECT FROM simulation_runs WHERE simulation_id = $1', [id])).toEqual([]);
  }, 40_000);

  it('check what is said, whatever its case and accents, in the messages of the assistant alone', async () => {
    expect(
      await outcomes(
        ['A que horas a padaria abre? Vocês têm bolo?'],
        [
          { type: 'says', text: 'abre as 6 HORAS' },
          { type: 'never_says', text: 'ÀS 6 horas' },
          { type: 'says', text: 'bolo' },
          { type: 'never_says', text: 'bolo' },
          { type: 'says', text: '.*' },
        ],
      ),
    ).toEqual([
      [true, 'O texto está na mensagem 2 do assistente.'],
      [false, 'O texto está na mensagem 2 do assistente.'],
      [false, 'O texto não está em nenhuma mensagem do assistente.'],
      [true, 'O texto não está em nenhuma mensagem do assistente.'],
      [false, 'O texto não está em nenhuma mensagem do assistente.'],
    ]);
  }, 30_000);

  it('check which tools are called with what, without calling them', async () => {
    const asked = shop.requests.length;
    const simulation = await play({
      customer: script('track_order número do pedido 42'),
      mock_results: { track_order: { status: 'enviado' } },
      checks: [
        { type: 'calls_tool', name: 'track_order', arguments: { order_number: 42 } },
        { type: 'calls_tool', name: 'track_order', arguments: { order_number: 43 } },
        { type: 'calls_tool', name: 'cancel_order' },
        { type: 'never_calls_tool', name: 'track_order' },
        { type: 'says', text: 'enviado' },
      ],
    });
    const [run] = simulation.results;
    expect(run?.status).toBe('failed');
    expect(run?.checks.map(({ passed, reason }) => [passed, reason])).toEqual([
      [true, 'A ferramenta foi chamada 1 vez.'],
      [false, 'A ferramenta foi chamada com outros argumentos; por último: {"order_number":42}'],
      [false, 'A ferramenta não foi chamada.'],
      [false, 'A ferramenta foi chamada 1 vez.'],
      [true, 'O texto está na mensagem 2 do assistente.'],
    ]);
    expect(run?.transcript.at(-1)?.function_calls).toEqual([
      { name: 'track_order', arguments: { order_number: 42 }, result: { status: 'enviado' } },
    ]);
    expect(shop.requests.length).toBe(asked);
  }, 30_000);

  it('are judged by a model, and by what the evaluation after a call would find', async () => {
    const own = await createAssistant(app, account, {
      system_prompt: PROMPT,
      post_call_schema: [
        { name: 'guests', type: 'number', description: 'How many people come' },
        { name: 'wish', type: 'string', description: 'What the customer wants' },
      ],
    });
    const before = assistant;
    assistant = own.id;
    try {
      expect(
        await outcomes(
          ['Somos 4 pessoas. A que horas a padaria abre?'],
          [
            { type: 'judge', criterion: 'The assistant says "às 6 horas"' },
            { type: 'judge', criterion: 'The assistant says "às 7 horas"' },
            { type: 'judge', criterion: 'Diz quando a padaria abre' },
            { type: 'extracts', values: { guests: 4, status: true } },
            { type: 'extracts', values: { guests: 5, wish: 'somos 4 pessoas. a que horas A PADARIA abre?' } },
            { type: 'extracts', values: { city: 'Recife' } },
          ],
        ),
      ).toEqual([
        [true, '[sandbox] The assistant says what the criterion quotes.'],
        [false, '[sandbox] The assistant does not say "as 7 horas".'],
        [true, '[sandbox] A message of the assistant has 2 of the 3 longer words of the criterion.'],
        [true, 'A avaliação tem os valores esperados.'],
        [false, 'A avaliação tem outros valores: {"guests":4}'],
        [false, 'O post_call_schema do assistente não tem: city'],
      ]);
    } finally {
      assistant = before;
    }
  }, 30_000);

  it('call real tools when the request asks for it', async () => {
    const asked = shop.requests.length;
    const { results } = await play({
      customer: script('track_order número do pedido 42'),
      tools: 'real',
      checks: [{ type: 'says', text: 'na rua' }],
    });
    expect(results[0]?.status).toBe('passed');
    expect(shop.requests.slice(asked).map(({ path }) => path)).toEqual(['/orders/42']);
  }, 30_000);

  it('stop when the assistant ends the conversation, and count the messages of the customer', async () => {
    const { results } = await play({
      customer: script('A que horas a padaria abre?', 'end_conversation', 'Ainda está aí?'),
      checks: [{ type: 'ends' }, { type: 'max_turns', turns: 2 }, { type: 'max_turns', turns: 1 }],
    });
    expect(results[0]).toMatchObject({ ended_by: 'assistant', status: 'failed' });
    expect(results[0]?.checks.map(({ passed, reason }) => [passed, reason])).toEqual([
      [true, 'O assistente encerrou a conversa.'],
      [true, 'O cliente escreveu 2 mensagens.'],
      [false, 'O cliente escreveu 2 mensagens.'],
    ]);
  }, 30_000);

  it('end after max_turns messages of the customer', async () => {
    const { results } = await play({
      customer: script('Oi', 'Oi', 'Oi'),
      max_turns: 2,
      checks: [{ type: 'ends' }],
    });
    expect(results[0]?.ended_by).toBe('max_turns');
    expect(results[0]?.transcript.filter(({ role }) => role === 'customer')).toHaveLength(2);
    expect(results[0]?.checks).toEqual([
      { check: 0, passed: false, reason: 'O assistente não encerrou a conversa.' },
    ]);
  }, 30_000);

  it('try a draft, the prompt in use, or an earlier one', async () => {
    const customer = script('A que horas a padaria abre?');
    const at = (text: string) => ({ customer, checks: [{ type: 'says', text }] });
    const own = await createAssistant(app, account, { system_prompt: PROMPT });
    const before = assistant;
    assistant = own.id;
    try {
      const { body: prompts } = await app
        .as(account)
        .get(`/api/user/assistant/${own.id}/prompts`)
        .expect(200);
      await app
        .as(account)
        .put(`/api/user/assistant/${own.id}`)
        .send({ system_prompt: 'A padaria abre às 8 horas.' })
        .expect(200);
      const drafted = await play({ ...at('7 horas'), prompt: 'A padaria abre às 7 horas.' });
      expect(drafted).toMatchObject({ prompt_version_id: null, totals: { passed: 1 } });
      expect(await play(at('8 horas'))).toMatchObject({ totals: { passed: 1 } });
      const [first] = prompts.data;
      const earlier = await play({ ...at('6 horas'), prompt_version_id: first.id });
      expect(earlier).toMatchObject({ prompt_version_id: first.id, totals: { passed: 1 } });
      const { body } = await app.as(account).get(`/api/user/assistant/${own.id}`).expect(200);
      expect(body.system_prompt).toBe('A padaria abre às 8 horas.');
    } finally {
      assistant = before;
    }
  }, 60_000);

  it('leave no conversation, no charge and no delivery behind', async () => {
    const owner = await app.account({ balanceUsd: 1 });
    const { id } = await createAssistant(app, owner, {
      conversation_ended_webhook_url: 'https://example.com/hook',
      is_conversation_ended_webhook_active: true,
    });
    const { body } = await app
      .as(owner)
      .post(`/api/user/assistant/${id}/simulations`)
      .send({ customer: script('Olá'), checks: [{ type: 'says', text: GREETING }] })
      .expect(202);
    const of = async () =>
      (await app.as(owner).get(`/api/user/simulations/${body.data.id}`).expect(200)).body as Simulation;
    await until(async () => (await of()).status === 'completed', 20_000);
    expect(await of()).toMatchObject({ totals: { passed: 1 } });
    for (const table of ['conversations', 'messages', 'webhook_deliveries', 'holds']) {
      expect(await app.query(`SELECT FROM ${table} WHERE user_id = $1`, [owner.userId])).toEqual([]);
    }
    const { body: me } = await app.as(owner).get('/api/user/me').expect(200);
    expect(me.total_balance).toBe(1);
  }, 30_000);

  const valid = { customer: script('Olá'), checks: [{ type: 'ends' }] };

  it.each([
    ['customer is required', 'customer', { customer: undefined }],
    ['customer has a known type', 'customer.type', { customer: { type: 'parrot' } }],
    ['customer is an object', 'customer.type', { customer: [] }],
    ['a script has lines', 'customer.lines', { customer: { type: 'script', lines: [] } }],
    ['lines are filled', 'customer.lines.0', { customer: script(' ') }],
    ['lines are at most 30', 'customer.lines', { customer: script(...Array<string>(31).fill('Oi')) }],
    ['lines have at most 2000 characters', 'customer.lines.0', { customer: script('x'.repeat(2_001)) }],
    ['a played customer has a persona', 'customer.persona', { customer: { type: 'model', goal: 'x' } }],
    ['checks are required', 'checks', { checks: undefined }],
    ['there is a check', 'checks', { checks: [] }],
    ['checks have a known type', 'checks.0.type', { checks: [{ type: 'regex', text: '(a+)+$' }] }],
    ['says has a text', 'checks.0.text', { checks: [{ type: 'says' }] }],
    ['calls_tool has a name', 'checks.0.name', { checks: [{ type: 'calls_tool' }] }],
    ['max_turns is a number', 'checks.0.turns', { checks: [{ type: 'max_turns', turns: 'three' }] }],
    ['judge has a criterion', 'checks.0.criterion', { checks: [{ type: 'judge' }] }],
    [
      'a criterion has at most 1000 characters',
      'checks.0.criterion',
      { checks: [{ type: 'judge', criterion: 'x'.repeat(1_001) }] },
    ],
    [
      'at most 10 are judged',
      'checks',
      { checks: Array.from({ length: 11 }, () => ({ type: 'judge', criterion: 'x' })) },
    ],
    ['extracts has values', 'checks.0.values', { checks: [{ type: 'extracts', values: {} }] }],
    [
      'values are single',
      'checks.1.values',
      { checks: [{ type: 'ends' }, { type: 'extracts', values: { a: [1] } }] },
    ],
    ['runs are at most 20', 'runs', { runs: 21 }],
    ['max_turns is at most 30', 'max_turns', { max_turns: 31 }],
    ['tools is mock or real', 'tools', { tools: 'maybe' }],
    ['mock results are objects', 'mock_results.track_order', { mock_results: { track_order: 'ok' } }],
    ['the prompt is one', 'prompt', { prompt: 'x', prompt_version_id: 1 }],
    ['the version is of this assistant', 'prompt_version_id', { prompt_version_id: 2_000_000_000 }],
  ])('refuse with 422 unless %s', async (_rule, field, change) => {
    const { body } = await begin({ ...valid, ...change }).expect(422);
    expect(Object.keys(body.errors)).toEqual([field]);
  });

  it('are not found for an assistant that is not there', async () => {
    const missing = '/api/user/assistant/1999999999/simulations';
    const posted = await app.as(account).post(missing).send(valid).expect(404);
    expect(posted.body).toEqual({ message: 'Assistente não encontrado' });
    await app.as(account).get(missing).expect(404);
  });
});

describe('Simulations under limits', () => {
  let app: TestApp;

  beforeAll(async () => {
    // No worker plays them, so that they stay under way.
    app = await TestApp.start({
      RATE_LIMITS: 'on',
      SIMULATIONS_PER_ACCOUNT: '2',
      SIMULATION_RUNS_PER_DAY: '5',
      SIMULATION_TOKENS_PER_DAY: '1000',
    });
  });
  afterAll(() => app.stop());

  it('are limited for each account, also for requests at the same time', async () => {
    const account = await app.account();
    const { id } = await createAssistant(app, account);
    const body = { customer: { type: 'script', lines: ['Olá'] }, checks: [{ type: 'ends' }] };
    const begin = (as: TestAccount, assistant: number) =>
      app.as(as).post(`/api/user/assistant/${assistant}/simulations`).send(body);
    const answers = await Promise.all(Array.from({ length: 6 }, () => begin(account, id)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      202, 202, 429, 429, 429, 429,
    ]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.message).toBe(
      'Sua conta já tem 2 simulações em andamento. Tente novamente quando uma terminar.',
    );
    expect(refused?.headers['retry-after']).toBe('10');
    const other = await app.account();
    await begin(other, (await createAssistant(app, other)).id).expect(202);
    const [begun] = answers.filter(({ status }) => status === 202);
    await app.as(account).delete(`/api/user/simulations/${begun?.body.data.id}`).expect(200);
    await begin(account, id).expect(202);
  }, 30_000);

  it('are so many conversations and tokens a day for each account, which deleting gives nothing back of', async () => {
    const account = await app.account();
    const { id } = await createAssistant(app, account);
    const begin = (runs: number) =>
      app
        .as(account)
        .post(`/api/user/assistant/${id}/simulations`)
        .send({ runs, customer: { type: 'script', lines: ['Olá'] }, checks: [{ type: 'ends' }] });
    const answers = await Promise.all([begin(3), begin(3)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([202, 422]);
    expect(answers.find(({ status }) => status === 422)?.body).toEqual({
      message: 'Sua conta pode fazer 5 conversas simuladas por dia e já fez 3 hoje (UTC).',
    });
    const [begun] = answers.filter(({ status }) => status === 202);
    await app.as(account).delete(`/api/user/simulations/${begun?.body.data.id}`).expect(200);
    await begin(3).expect(422);
    const deleted = (await begin(2).expect(202)).body.data.id;
    await app.as(account).delete(`/api/user/simulations/${deleted}`).expect(200);
    await setDailyUsage(app, account.userId, { resource: 'simulationRuns', amount: 0 });
    await setDailyUsage(app, account.userId, { resource: 'simulationTokens', amount: 1_000 });
    const { body } = await begin(1).expect(422);
    expect(body).toEqual({
      message: 'As simulações da sua conta usaram hoje (UTC) os 1000 tokens que podem usar por dia.',
    });
    await setDailyUsage(app, account.userId, { resource: 'simulationTokens', amount: 1_000, daysAgo: 1 });
    await begin(1).expect(202);
  }, 30_000);
});
