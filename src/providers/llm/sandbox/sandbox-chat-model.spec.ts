import { describe, expect, it } from '@jest/globals';
import type { ChatMessage, ChatRequest, ToolChoice, ToolDefinition } from '../chat-model.js';
import { collectTurn, describeChatModelConformance } from '#test/conformance/chat-model.conformance.js';
import { SandboxChatModel } from './sandbox-chat-model.js';

const model = new SandboxChatModel();

const ORDER: ToolDefinition = {
  name: 'consultar_pedido',
  description: 'Consulta o status de entrega de um pedido',
  parameters: {
    type: 'object',
    properties: { numero: { type: 'number', description: 'Número do pedido' } },
    required: ['numero'],
  },
};
const WEATHER: ToolDefinition = {
  name: 'get_weather',
  description: 'Gets the current weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city' } },
    required: ['city'],
  },
};
const DOCUMENTS: ToolDefinition = {
  name: 'consultar_base',
  description: 'Consulta a base de conhecimento da empresa',
  parameters: {
    type: 'object',
    properties: { pergunta: { type: 'string', description: 'O que procurar' } },
    required: ['pergunta'],
  },
};
const PROMPT = [
  'Você é a Clara, atendente da Padaria Sol. Seja gentil e nunca invente preços.',
  'A padaria abre de segunda a sábado, das 7h às 20h. Aceitamos cartão, dinheiro e pix.',
  '# Entregas',
  'Levamos em casa no raio de cinco quilômetros.',
].join('\n');

function user(content: string): ChatMessage {
  return { role: 'user', content };
}

function request(
  messages: ChatMessage[],
  tools: ToolDefinition[] = [],
  toolChoice?: ToolChoice,
): ChatRequest {
  return { model: 'sandbox', messages, tools, toolChoice };
}

async function say(
  messages: ChatMessage[],
  tools: ToolDefinition[] = [],
  toolChoice?: ToolChoice,
): Promise<string> {
  const { text, toolCalls } = await collectTurn(model, request(messages, tools, toolChoice));
  expect(toolCalls).toEqual([]);
  return text;
}

async function call(
  messages: ChatMessage[],
  tools: ToolDefinition[],
  toolChoice?: ToolChoice,
): Promise<unknown[]> {
  const { text, toolCalls } = await collectTurn(model, request(messages, tools, toolChoice));
  expect(text).toBe('');
  return toolCalls.map(({ name, arguments: args }) => [name, JSON.parse(args)]);
}

describeChatModelConformance('SandboxChatModel', {
  model: () => model,
  textTurn: request([user('bom dia')]),
  toolTurn: {
    request: request([user('Qual o status do pedido 42?')], [ORDER, WEATHER]),
    toolName: 'consultar_pedido',
    arguments: { numero: 42 },
  },
  toolResult: { content: '{"status":"enviado"}', answerContains: 'enviado' },
  parallelTurn: {
    request: request([user('use get_weather para Recife e consultar_pedido 7')], [ORDER, WEATHER]),
    toolNames: ['get_weather', 'consultar_pedido'],
  },
});

describe('what the sandbox model says', () => {
  it('says what it is', () => {
    expect(model.provider).toBe('sandbox');
  });

  it('gives the same answer every time, and counts no tokens', async () => {
    const ask = request([user('Qual o status do pedido 42?')], [ORDER]);
    const [first, second] = [await collectTurn(model, ask), await collectTurn(model, ask)];

    expect(first).toEqual(second);
    expect(first.finish?.usage).toBeNull();
  });

  it('streams word by word', async () => {
    const { chunks } = await collectTurn(model, request([user('oi')]));

    expect(chunks.slice(0, -1)).toEqual(
      ['Olá! ', 'Em ', 'que ', 'posso ', 'ajudar?'].map((text) => ({ type: 'text', text })),
    );
  });

  it.each([
    ['Vocês aceitam pix?', 'Aceitamos cartão, dinheiro e pix.'],
    ['que horas a padaria abre?', 'A padaria abre de segunda a sábado, das 7h às 20h.'],
    ['Vocês fazem entregas?', 'Levamos em casa no raio de cinco quilômetros.'],
  ])('answers "%s" from the prompt', async (question, answer) => {
    expect(await say([{ role: 'system', content: PROMPT }, user(question)])).toBe(answer);
  });

  it('gives the answer, not the question, of a list of questions', async () => {
    const faq = 'Q: Can I return a product?\nAnswer: Yes, within 7 days of receipt.';

    expect(await say([{ role: 'system', content: faq }, user('Can I return the product I bought?')])).toBe(
      'Yes, within 7 days of receipt.',
    );
  });

  it('never says an instruction aloud, nor guesses', async () => {
    const answer = await say([{ role: 'system', content: PROMPT }, user('Posso inventar preços?')]);

    expect(answer).toMatch(/^Não encontrei essa informação/);
  });

  it('speaks English to who speaks English or is said to, Portuguese otherwise', async () => {
    expect(await say([user('What is the meaning of life?')])).toMatch(/^I couldn't find/);
    expect(await say([{ role: 'system', content: 'Language: English' }, user('xyz')])).toMatch(
      /^I couldn't find/,
    );
    expect(await say([user('xyz')])).toMatch(/^Não encontrei/);
  });

  it('opens the conversation before the first turn, and asks again when the customer does not answer', async () => {
    expect(await say([{ role: 'system', content: PROMPT }])).toBe('Olá! Como posso ajudar?');
    expect(await say([user('oi'), { role: 'assistant', content: 'Olá!' }])).toMatch(/ainda está aí/);
  });
});

describe('when the sandbox model calls a tool', () => {
  it.each([
    ['by its name', 'consultar_pedido 12', 'consultar_pedido'],
    ['by the words of its name', 'quero consultar o meu pedido número 12', 'consultar_pedido'],
    ['by the words of its description', 'qual o status da entrega 12', 'consultar_pedido'],
    ['by the noun of its name', "What's the weather in Paris?", 'get_weather'],
    ['by the one word that matters', 'cadê minha entrega 12?', 'consultar_pedido'],
  ])('is asked for %s', async (_how, message, name) => {
    const [called] = await call([user(message)], [WEATHER, ORDER]);

    expect(called).toEqual([name, expect.anything()]);
  });

  it('does not call for a greeting or an unrelated question', async () => {
    await say([user('bom dia')], [ORDER, WEATHER, DOCUMENTS]);
    await say([user('Vocês vendem bolo de cenoura?')], [ORDER, WEATHER]);
  });

  it('calls no tool when the request forbids it, and calls one when the request requires it', async () => {
    await say([user('consultar_pedido 12')], [ORDER], 'none');

    expect(await call([user('tanto faz')], [WEATHER, ORDER], 'required')).toHaveLength(1);
  });

  it('asks for missing arguments, and calls once the customer has given them', async () => {
    const question = await say([user('quero consultar meu pedido')], [WEATHER, ORDER]);
    expect(question).toBe('Para isso preciso saber: Número do pedido.');

    const dialogue = [
      user('quero consultar meu pedido'),
      { role: 'assistant' as const, content: question },
      user('4512'),
    ];
    expect(await call(dialogue, [WEATHER, ORDER])).toEqual([['consultar_pedido', { numero: 4512 }]]);
  });

  it('calls a tool named as it is written even when something is missing', async () => {
    expect(await call([user('chame consultar_pedido')], [ORDER])).toEqual([['consultar_pedido', {}]]);
  });

  it('looks into the documents when the prompt does not answer', async () => {
    const messages: ChatMessage[] = [{ role: 'system', content: PROMPT }, user('Vocês têm wifi?')];
    expect(await call(messages, [ORDER, DOCUMENTS])).toEqual([
      ['consultar_base', { pergunta: 'Vocês têm wifi?' }],
    ]);

    const passages = JSON.stringify({
      passages: [{ text: 'A loja fica na praça. O wifi é grátis para clientes.' }],
    });
    const answer = await say(
      [...messages, { role: 'tool', toolCallId: '1', name: 'consultar_base', content: passages }],
      [ORDER, DOCUMENTS],
    );
    expect(answer).toBe('O wifi é grátis para clientes.');
  });

  it('gives every call of a conversation another id', async () => {
    const first = await collectTurn(model, request([user('consultar_pedido 1')], [ORDER]));
    const history: ChatMessage[] = [
      user('consultar_pedido 1'),
      { role: 'assistant', content: '', toolCalls: first.toolCalls },
      { role: 'tool', toolCallId: first.toolCalls[0]!.id, name: 'consultar_pedido', content: 'ok' },
      { role: 'assistant', content: 'Feito.' },
      user('consultar_pedido 2'),
    ];
    const second = await collectTurn(model, request(history, [ORDER]));

    expect(second.toolCalls[0]?.id).not.toBe(first.toolCalls[0]?.id);
  });
});

describe("what the sandbox model makes of a tool's result", () => {
  async function answerTo(message: string, content: string): Promise<string> {
    return say(
      [user(message), { role: 'tool', toolCallId: '1', name: 'consultar_pedido', content }],
      [ORDER],
    );
  }

  it('names the fields of JSON', async () => {
    const content = '{"status":"enviado","entrega":{"prazo_dias":3,"atrasada":false},"obs":null}';

    expect(await answerTo('status do pedido 1', content)).toBe(
      'Resposta de "consultar pedido": status: enviado; prazo dias: 3; atrasada: não.',
    );
  });

  it('repeats a short text, and picks the fitting sentence of a long one', async () => {
    expect(await answerTo('status do pedido 1', 'Pedido não encontrado')).toBe(
      'Resposta de "consultar pedido": Pedido não encontrado.',
    );
    const long = `${'Nada aqui importa de fato. '.repeat(20)}O status do pedido é aguardando coleta. Fim.`;
    expect(await answerTo('status do pedido 1', long)).toBe(
      'Resposta de "consultar pedido": O status do pedido é aguardando coleta.',
    );
  });

  it('passes over what is nested without end', async () => {
    const nested = `${'{"a":['.repeat(4_000)}1${']}'.repeat(4_000)}`;
    expect(await answerTo('status do pedido 1', `{"status":"enviado","mais":${nested}}`)).toBe(
      'Resposta de "consultar pedido": status: enviado.',
    );
  });

  it('says so when the tool returned nothing, and keeps very long results short', async () => {
    expect(await answerTo('status do pedido 1', '')).toBe('"consultar pedido" não trouxe resultado.');
    expect((await answerTo('pedido 1', 'palavra '.repeat(500))).length).toBeLessThan(450);
  });
});
