import { LLMock } from '@copilotkit/aimock';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, createTool, openConversation, sendMessage } from '../support/builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';

/** The OpenAI path, against a server of the wire protocol that others have written, and a real HTTP tool. */
describe('chat through an OpenAI-compatible server', () => {
  const model = new LLMock({ port: 0, chunkSize: 8 });
  let app: TestApp;
  let account: TestAccount;
  let weather: LocalServer;

  beforeAll(async () => {
    await model.start();
    weather = await LocalServer.start((request, response) =>
      answerJson(response, { city: request.path.slice(1), celsius: 21 }),
    );
    app = await TestApp.start({
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: 'test-key',
      MODEL_TIMEOUT_SECONDS: '2',
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
    });
    account = await app.account({ balanceUsd: 10 });
  });
  afterAll(async () => {
    await app.stop();
    await model.stop();
    await weather.stop();
  });
  beforeEach(() => {
    model.clearRequests();
    // A server lists the models it has answers for, and is asked for no others.
    for (const code of ['gpt-6-luna', 'gpt-5.6-terra']) {
      model.on({ model: code, userMessage: 'a message that no test sends' }, { content: '' });
    }
  });
  afterEach(() => void model.reset());

  const weatherAssistant = async (overrides: Record<string, unknown> = {}) => {
    const tool = await createTool(app, account, {
      name: 'get_weather',
      endpoint: `${weather.url}/{city}`,
      headers: [{ name: 'X-Caller', value: '{{customer}}' }],
      schema: [{ name: 'city', type: 'string', description: 'Nome da cidade' }],
    });
    const assistant = await createAssistant(app, account, {
      tool_ids: [tool],
      variables: { customer: 'ana' },
      ...overrides,
    });
    return { tool, uuid: await openConversation(app, assistant) };
  };
  const forget = (tool: number) => app.as(account).delete(`/api/user/tools/${tool}`).expect(200);

  // spec: service.mid-call-tool, conversation.function-call-object
  it('calls the HTTP tool the model asks for and answers with its result', async () => {
    model
      .on({ userMessage: 'tempo em Recife', hasToolResult: true }, { content: 'Em Recife faz 21 graus.' })
      .onMessage('tempo em Recife', { toolCalls: [{ name: 'get_weather', arguments: '{"city":"Recife"}' }] });
    const { tool, uuid } = await weatherAssistant();
    const { body } = await sendMessage(app, uuid, 'Qual o tempo em Recife?').expect(200);
    expect(body).toEqual({
      status: true,
      message: 'Em Recife faz 21 graus.',
      function_calls: [
        { name: 'get_weather', arguments: { city: 'Recife' }, result: { city: 'Recife', celsius: 21 } },
      ],
    });
    expect(weather.requests.at(-1)).toMatchObject({
      method: 'GET',
      path: '/Recife',
      headers: { 'x-caller': 'ana' },
    });
    const { body: read } = await app.http.get(`/api/conversations/${uuid}`);
    expect(read.history.at(-1).function_calls).toHaveLength(1);
    await forget(tool);
  });

  it('shows the model in later turns what a tool has answered', async () => {
    model
      .on({ userMessage: 'tempo em Natal', hasToolResult: true }, { content: 'Em Natal faz 21 graus.' })
      .onMessage('tempo em Natal', { toolCalls: [{ name: 'get_weather', arguments: '{"city":"Natal"}' }] })
      .onMessage('de novo', { content: 'Eram 21 graus.' });
    const { tool, uuid } = await weatherAssistant();
    await sendMessage(app, uuid, 'Qual o tempo em Natal?').expect(200);
    await sendMessage(app, uuid, 'Diga de novo').expect(200);
    const { body } = model.getLastRequest() as { body: { messages: { content?: unknown }[] } };
    const [greeting, question, call, result, answer, again] = body.messages.slice(1);
    expect([greeting, question, answer, again].map((message) => message?.content)).toEqual([
      'Olá! Como posso ajudar?',
      'Qual o tempo em Natal?',
      'Em Natal faz 21 graus.',
      'Diga de novo',
    ]);
    expect(call).toMatchObject({
      role: 'assistant',
      tool_calls: [{ function: { name: 'get_weather', arguments: '{"city":"Natal"}' } }],
    });
    expect(result).toMatchObject({ role: 'tool', content: '{"city":"Natal","celsius":21}' });
    await forget(tool);
  });

  it('sends the filled prompt, the history and the tool schema', async () => {
    model.onMessage('primeira', { content: 'Um.' }).onMessage('segunda', { content: 'Dois.' });
    const { tool, uuid } = await weatherAssistant({
      system_prompt: 'Atenda {{customer}} bem.',
      llm_temperature: 0.3,
    });
    await sendMessage(app, uuid, 'A primeira').expect(200);
    await sendMessage(app, uuid, 'A segunda').expect(200);
    const { body } = model.getLastRequest() as {
      body: { messages: { role: string; content: string }[]; temperature: number; tools: unknown[] };
    };
    expect(body.messages[0]?.content).toContain('Atenda ana bem.');
    expect(body.messages[0]?.content).toContain('Portuguese');
    expect(body.messages.slice(1).map(({ role, content }) => [role, content])).toEqual([
      ['assistant', 'Olá! Como posso ajudar?'],
      ['user', 'A primeira'],
      ['assistant', 'Um.'],
      ['user', 'A segunda'],
    ]);
    expect(body.tools).toHaveLength(1);
    await forget(tool);
  });

  it('calls a tool that the model has called in its text, and shows nothing of it', async () => {
    model
      .on({ userMessage: 'chuva no Crato', hasToolResult: true }, { content: 'No Crato faz 21 graus.' })
      .onMessage('chuva no Crato', { content: '{"name": "get_weather", "parameters": {"city": "Crato"}}' });
    const { tool, uuid } = await weatherAssistant();
    const { body } = await sendMessage(app, uuid, 'Tem chuva no Crato?').expect(200);
    expect(body.message).toBe('No Crato faz 21 graus.');
    expect(body.function_calls).toMatchObject([{ name: 'get_weather', arguments: { city: 'Crato' } }]);
    await forget(tool);
  });

  it('streams tokens as they come', async () => {
    model.onMessage('devagar', { content: 'Uma resposta bem comprida, aos poucos.' }, { latency: 5 });
    const { tool, uuid } = await weatherAssistant();
    const { text } = await sendMessage(app, uuid, 'devagar').set('Accept', 'text/event-stream').expect(200);
    expect(text.match(/event: token/g)?.length).toBeGreaterThan(2);
    expect(text).toContain('event: done');
    await forget(tool);
  });

  it.each([
    [
      '500',
      { error: { message: 'boom: sk-secret', type: 'server_error' }, status: 500 },
      /^Failed to process message: /,
    ],
    ['429', { error: { message: 'slow down', type: 'rate_limit_error' }, status: 429 }, /busy/],
    [
      '401',
      { error: { message: 'Incorrect API key sk-abc', type: 'invalid_request_error' }, status: 401 },
      /credentials/,
    ],
  ])(
    'answers 400 without the words of the provider when the model server answers %s, and charges nothing',
    async (_status, failure, words) => {
      model.onMessage('quebra', failure);
      const { tool, uuid } = await weatherAssistant();
      const before = await app.balanceUsd(account);
      const { body } = await sendMessage(app, uuid, 'quebra').expect(400);
      expect(body).toEqual({ status: false, error: expect.stringMatching(words) });
      expect(body.error).not.toMatch(/sk-|boom/);
      expect(await app.balanceUsd(account)).toBe(before);
      await forget(tool);
    },
  );

  // spec: errors.send-message-processing
  it('answers 400 when the stream breaks off, and charges nothing', async () => {
    model.onMessage('corta', { content: 'Nunca chega ao fim, isto aqui.' }, { truncateAfterChunks: 2 });
    const { tool, uuid } = await weatherAssistant();
    const before = await app.balanceUsd(account);
    const { body } = await sendMessage(app, uuid, 'corta').expect(400);
    expect(body.error).toMatch(/^Failed to process message: /);
    expect(await app.balanceUsd(account)).toBe(before);
    await forget(tool);
  });

  it('goes on after a failure: the next message is answered', async () => {
    model
      .onMessage('quebra', { error: { message: 'x' }, status: 500 })
      .onMessage('de novo', { content: 'Agora sim.' });
    const { tool, uuid } = await weatherAssistant();
    await sendMessage(app, uuid, 'quebra').expect(400);
    const { body } = await sendMessage(app, uuid, 'de novo').expect(200);
    expect(body.message).toBe('Agora sim.');
    await forget(tool);
  });

  it('asks the fallback model once when the first one fails', async () => {
    const { body: models } = await app.as(account).get('/api/user/assistants/models?type=llm').expect(200);
    const [first, second] = models as { id: number }[];
    model
      .on({ userMessage: 'reserva', sequenceIndex: 0 }, { error: { message: 'x' }, status: 500 })
      .on({ userMessage: 'reserva', sequenceIndex: 1 }, { content: 'Do modelo reserva.' });
    const { tool, uuid } = await weatherAssistant({
      llm_model_id: first?.id,
      chat_llm_fallback_id: second?.id,
    });
    const { body } = await sendMessage(app, uuid, 'reserva').expect(200);
    expect(body.message).toBe('Do modelo reserva.');
    const asked = model.getRequests().map(({ body: sent }) => (sent as { model: string }).model);
    expect(asked).toHaveLength(2);
    expect(asked[0]).not.toBe(asked[1]);
    await forget(tool);
  });

  it('answers messages sent at once in one conversation in order, each seeing the ones before', async () => {
    for (const word of ['alfa', 'beta', 'gama', 'delta'])
      model.onMessage(word, { content: `Sobre ${word}.` }, { latency: 10 });
    const { tool, uuid } = await weatherAssistant();
    const words = ['alfa', 'beta', 'gama', 'delta'];
    await Promise.all(words.map((word) => sendMessage(app, uuid, word).expect(200)));
    const { body } = await app.http.get(`/api/conversations/${uuid}`);
    const [, ...turns] = body.history as { role: string; content: string }[];
    expect(turns.map(({ role }) => role)).toEqual(
      Array.from({ length: 8 }, (_, index) => (index % 2 ? 'assistant' : 'user')),
    );
    for (let index = 0; index < turns.length; index += 2) {
      expect(turns[index + 1]?.content).toBe(`Sobre ${turns[index]?.content}.`);
    }
    await forget(tool);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://012.0.0.1/',
  ])('does not reach %s: the model gets a short error and the chat goes on', async (endpoint) => {
    model
      .on({ userMessage: 'busca', hasToolResult: true }, { content: 'Não consegui.' })
      .onMessage('busca', { toolCalls: [{ name: 'get_weather', arguments: '{"city":"x"}' }] });
    const { tool, uuid } = await weatherAssistant();
    await app.as(account).put(`/api/user/tools/${tool}`).send({ endpoint }).expect(200);
    const { body } = await sendMessage(app, uuid, 'busca').expect(200);
    expect(body.message).toBe('Não consegui.');
    expect(body.function_calls[0].result).toEqual({ error: expect.any(String) });
    expect(body.function_calls[0].result.error).not.toMatch(/169|10\.0|::1/);
    await forget(tool);
  });

  it('shows, stores and streams nothing of what the model thinks', async () => {
    model
      .onMessage('pensa alto', { content: '<think>Margem de 40%.</think>\n\nAbrimos às dez.' })
      .onMessage('pensa sem começo', { content: 'Margem de 40%.\n</think>\n\nAbrimos às onze.' });
    const { tool, uuid } = await weatherAssistant();
    expect((await sendMessage(app, uuid, 'pensa alto').expect(200)).body.message).toBe('Abrimos às dez.');
    // It was not known to think so: what was streamed is taken back, and the next answer is kept back.
    const events = async () =>
      (await sendMessage(app, uuid, 'pensa sem começo').set('Accept', 'text/event-stream')).text;
    const first = await events();
    expect(first.slice(first.indexOf('event: restart'))).not.toContain('40%');
    expect(first).toContain('"message":"Abrimos às onze."');
    expect(await events()).not.toContain('40%');
    const { body } = await app.http.get(`/api/conversations/${uuid}`);
    expect(JSON.stringify(body.history)).not.toMatch(/40%|think/);
    await forget(tool);
  });
});
