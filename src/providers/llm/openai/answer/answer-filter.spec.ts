import { describe, expect, it } from '@jest/globals';
import { array, assert, boolean, constantFrom, nat, property } from 'fast-check';
import type { ToolDefinition } from '../../chat-model.js';
import { AnswerFilter, type AnswerFilterOptions } from './answer-filter.js';

const ANSWER = 'A entrega chega na quinta-feira.';
const SECRET = 'O cliente é VIP.\nNota: margem de 40%, não dizer `nada`.';

const TOOLS: ToolDefinition[] = [
  {
    name: 'find_parcel',
    description: 'Finds a parcel.',
    parameters: {
      type: 'object',
      properties: { code: { type: 'string' }, days: { type: 'number' }, fragile: { type: 'boolean' } },
    },
  },
  { name: 'close_chat', description: 'Ends the chat.', parameters: { type: 'object', properties: {} } },
];

interface Filtered {
  readonly text: string;
  /** What was shown and taken back. */
  readonly retracted: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly hasLoneEnd: boolean;
}

function filtered(
  pieces: readonly string[],
  { isCut = false, ...options }: Partial<AnswerFilterOptions> & { isCut?: boolean } = {},
): Filtered {
  const filter = new AnswerFilter({ tools: TOOLS, isHolding: false, expectsThought: false, ...options });
  let [text, retracted] = ['', ''];
  const add = (shown: string) => {
    if (filter.takeRetraction()) [retracted, text] = [retracted + text, ''];
    text += shown;
  };
  for (const piece of pieces) add(filter.push(piece));
  const end = filter.end(isCut);
  add(end.text);
  const calls = end.calls.map((call) => ({
    name: call.name,
    arguments: JSON.parse(call.arguments) as unknown,
  }));
  return { text, retracted, calls, hasLoneEnd: filter.hasLoneEnd };
}

const letters = (text: string): string[] => text.split('');

/** The same text in one piece, letter by letter, and in each pair of pieces. */
function everyWay(text: string, options: Parameters<typeof filtered>[1] = {}): Filtered[] {
  const pairs = Array.from({ length: text.length }, (_, at) => [text.slice(0, at), text.slice(at)]);
  return [[text], letters(text), ...pairs].map((pieces) => filtered(pieces, options));
}

const THOUGHTS: [string, string][] = [
  ['<think>', `<think>${SECRET}</think>\n\n${ANSWER}`],
  ['<think> on lines of its own', `\n<think>\n${SECRET}\n</think>\n${ANSWER}`],
  ['upper case', `<THINK>${SECRET}</Think>${ANSWER}`],
  ['<thinking>', `<thinking>${SECRET}</thinking> ${ANSWER}`],
  ['<thought>', `<thought>${SECRET}</thought>\n${ANSWER}`],
  ['<reasoning>', `<reasoning>${SECRET}</reasoning>\n${ANSWER}`],
  ['an attribute', `<think effort="high">${SECRET}</think>${ANSWER}`],
  ['an empty thought', `<think>\n\n</think>\n\n${ANSWER}`],
  ['two thoughts', `<think>${SECRET}</think>\n<think>Mais: ${SECRET}</think>\n${ANSWER}`],
  ['a thought that speaks of its own mark', `<think>${SECRET} <think> ou <b> a < b</think>${ANSWER}`],
  ['Kimi-VL', `◁think▷${SECRET}◁/think▷${ANSWER}`],
  ['Magistral', `[THINK]${SECRET}[/THINK]${ANSWER}`],
  ['Seed-OSS', `<seed:think>${SECRET}</seed:think>${ANSWER}`],
  [
    'OpenThinker',
    `<|begin_of_thought|>${SECRET}<|end_of_thought|>\n<|begin_of_solution|>${ANSWER}<|end_of_solution|>`,
  ],
  ['Command A', `<|START_THINKING|>${SECRET}<|END_THINKING|><|START_RESPONSE|>${ANSWER}<|END_RESPONSE|>`],
  ['Hunyuan', `<think>${SECRET}</think>\n<answer>\n${ANSWER}</answer>`],
  ['Gemma 4', `<|channel>thought\n${SECRET}<channel|>${ANSWER}`],
  ['MedGemma', `<unused94>thought\n${SECRET}<unused95>${ANSWER}`],
  ['Granite', `Here is my thought process: ${SECRET} Here is my response: ${ANSWER}`],
  [
    'gpt-oss',
    `<|channel|>analysis<|message|>${SECRET}<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}<|return|>`,
  ],
  ['gpt-oss without its special tokens', `analysisWe see: ${SECRET}assistantfinal${ANSWER}`],
];

describe('thoughts in the text of an answer', () => {
  it.each(THOUGHTS)('are left out, wherever the text is cut: %s', (_name, text) => {
    for (const { text: shown, retracted, calls } of everyWay(text)) {
      expect(shown.trim()).toBe(ANSWER);
      expect([retracted, calls]).toEqual(['', []]);
    }
  });

  it.each(THOUGHTS)('are left out while the model is not known: %s', (_name, text) => {
    for (const { text: shown, retracted } of everyWay(text, { isHolding: true })) {
      expect(shown.trim()).toBe(ANSWER);
      expect(retracted).toBe('');
    }
  });

  it('are left out between two parts of an answer', () => {
    const text = `Vou ver.\n<think>${SECRET}</think>\n${ANSWER}`;
    for (const { text: shown } of everyWay(text)) expect(shown).toBe(`Vou ver.\n${ANSWER}`);
    for (const { text: shown } of everyWay(`Vou ver.<think>${SECRET}</think>${ANSWER}`))
      expect(shown).toBe(`Vou ver.${ANSWER}`);
  });

  it('are left out where they do not end', () => {
    for (const { text } of everyWay(`<think>${SECRET}`)) expect(text).toBe('');
    for (const { text } of everyWay(`Bom dia!\n<think>${SECRET}`)) expect(text.trim()).toBe('Bom dia!');
    for (const { text } of everyWay(`Bom dia! <think>${SECRET}`, { isCut: true }))
      expect(text.trim()).toBe('Bom dia!');
  });

  it.each([`${SECRET}</think>\n\n${ANSWER}`, `${SECRET}\n</THINK>${ANSWER}`, `${SECRET} </think> ${ANSWER}`])(
    'are kept back until their end comes, where they have no beginning: %j',
    (text) => {
      for (const { text: shown, retracted, hasLoneEnd } of everyWay(text, {
        isHolding: true,
        expectsThought: true,
      })) {
        expect(shown).toBe(ANSWER);
        expect(retracted).toBe('');
        expect(hasLoneEnd).toBe(true);
      }
    },
  );

  it('are taken back where the model was not expected to think', () => {
    const pieces = ['Interno: ', '40%.', '\n</think>', '\n\n', ANSWER];
    expect(filtered(pieces)).toMatchObject({ text: ANSWER, retracted: 'Interno: 40%.\n', hasLoneEnd: true });
  });

  it('are no answer where the limit was reached before their end', () => {
    const known = { isHolding: true, expectsThought: true };
    expect(filtered([SECRET], { ...known, isCut: true }).text).toBe('');
    expect(filtered([ANSWER], known).text).toBe(ANSWER);
  });

  it('take calls that they consider with them', () => {
    const call = '<tool_call>{"name": "find_parcel", "arguments": {"code": "X"}}</tool_call>';
    const unbalanced = `Talvez {"name": "find_parcel" ou não`;
    for (const thought of [call, unbalanced, `[find_parcel(code=`]) {
      for (const way of everyWay(`${thought}</think>${ANSWER}`, { isHolding: true, expectsThought: true }))
        expect(way).toMatchObject({ text: ANSWER, calls: [] });
    }
  });
});

describe('words about marks', () => {
  it.each([
    'Use a etiqueta <think> para pensar.',
    'Escreva `<think>` e `</think>` no texto.',
    'Assim:\n```html\n<think>\nsegredo\n</think>\n```\nPronto.',
    'Assim:\n```xml\n<tool_call>{"name": "find_parcel", "arguments": {}}</tool_call>\n```\nPronto.',
    'A etiqueta </think> fecha o bloco.',
    'O botão <b>Comprar</b> custa <10 reais, a<b e c>d.',
    'Veja [o site](https://loja.example) e [1], [THE END], [find].',
    'Preço {nome}: {"preco": 10, "moeda": "BRL"} e {}.',
    'Exemplo:\n```json\n{"preco": 10}\n```\nFim.',
    'Exemplo:\n```json\n{"name": "Ana", "city": "Recife"}\n```\nFim.',
    'analysis of the order: done.',
    'Here is my answer: yes.',
    '3 < 4 e 5 > 2; <3',
    '`a\n<b',
    '```\nsem fim',
  ])('stay words, wherever the text is cut: %j', (text) => {
    for (const way of everyWay(text))
      expect(way).toEqual({ text, retracted: '', calls: [], hasLoneEnd: false });
  });

  it('pass at once where there is no mark', () => {
    const filter = new AnswerFilter({ tools: TOOLS, isHolding: false, expectsThought: false });
    const pieces = ['Bom', ' dia', '! Custa', ' R$ 5,', '00.', '\n\n- um', '\n- dois'];
    expect(pieces.map((piece) => filter.push(piece))).toEqual(pieces);
  });

  it('hold an answer back for no more than the mark that may begin', () => {
    const filter = new AnswerFilter({ tools: TOOLS, isHolding: false, expectsThought: false });
    expect(['a ', '<', 'b', '> c', ' < d', ' {"pre', 'co": 1'].map((piece) => filter.push(piece))).toEqual([
      'a ',
      '',
      '',
      '<b> c',
      ' < d',
      ' ',
      '{"preco": 1',
    ]);
  });
});

const PARCEL = { name: 'find_parcel', arguments: { code: '0042' } };

describe('calls in the text of an answer', () => {
  it.each([
    ['Hermes, Qwen', '<tool_call>\n{"name": "find_parcel", "arguments": {"code": "0042"}}\n</tool_call>'],
    ['Hermes without an end', '<tool_call>{"name": "find_parcel", "arguments": {"code": "0042"}}'],
    [
      'arguments in a string',
      '<tool_call>{"name": "find_parcel", "arguments": "{\\"code\\": \\"0042\\"}"}</tool_call>',
    ],
    ['Llama 3.1', '<function=find_parcel>{"code": "0042"}</function>'],
    ['Llama 3.2', '{"name": "find_parcel", "parameters": {"code": "0042"}}'],
    [
      'Llama with a token',
      '<|python_tag|>{"type": "function", "name": "find_parcel", "parameters": {"code": "0042"}}<|eom_id|>',
    ],
    ['a fence', '```json\n{"name": "find_parcel", "arguments": {"code": "0042"}}\n```'],
    ['a fence of calls', '```tool_call\n{"name": "find_parcel", "arguments": {"code": "0042"}}\n```'],
    ['Gemma 3', '```tool_code\nprint(find_parcel(code="0042"))\n```'],
    ['Gemma 4', '<|tool_call>call:find_parcel{code:<|"|>0042<|"|>}<tool_call|>'],
    [
      'OpenAI',
      '{"type": "function", "function": {"name": "find_parcel", "arguments": "{\\"code\\":\\"0042\\"}"}}',
    ],
    ['a list', '[{"name": "find_parcel", "arguments": {"code": "0042"}}]'],
    ['Mistral', '[TOOL_CALLS][{"name": "find_parcel", "arguments": {"code": "0042"}}]'],
    ['Mistral 3', '[TOOL_CALLS]find_parcel[ARGS]{"code": "0042"}'],
    ['LM Studio', '[TOOL_REQUEST]{"name": "find_parcel", "arguments": {"code": "0042"}}[END_TOOL_REQUEST]'],
    [
      'Qwen 3 Coder',
      '<tool_call>\n<function=find_parcel>\n<parameter=code>\n0042\n</parameter>\n</function>\n</tool_call>',
    ],
    [
      'MiniMax',
      '<minimax:tool_call>\n<invoke name="find_parcel">\n<parameter name="code">0042</parameter>\n</invoke>\n</minimax:tool_call>',
    ],
    [
      'Claude',
      '<function_calls><invoke name="find_parcel"><parameter name="code">0042</parameter></invoke></function_calls>',
    ],
    ['GLM', '<tool_call>find_parcel\n<arg_key>code</arg_key>\n<arg_value>0042</arg_value>\n</tool_call>'],
    [
      'DeepSeek V3',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>find_parcel\n```json\n{"code": "0042"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [
      'DeepSeek V3.1',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>find_parcel<｜tool▁sep｜>{"code": "0042"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [
      'DeepSeek V3.2',
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="find_parcel">\n<｜DSML｜parameter name="code" string="true">0042</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    ],
    [
      'Kimi K2',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.find_parcel:0<|tool_call_argument_begin|>{"code": "0042"}<|tool_call_end|><|tool_calls_section_end|>',
    ],
    [
      'Command R',
      '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "find_parcel", "parameters": {"code": "0042"}}]<|END_ACTION|>',
    ],
    ['LFM2', '<|tool_call_start|>[find_parcel(code="0042")]<|tool_call_end|>'],
    ['Llama 4', '[find_parcel(code="0042")]'],
    [
      'gpt-oss',
      '<|channel|>commentary to=functions.find_parcel <|constrain|>json<|message|>{"code": "0042"}<|call|>',
    ],
    [
      'gpt-oss with the recipient first',
      '<|start|>assistant to=functions.find_parcel<|channel|>commentary json<|message|>{"code":"0042"}<|call|>',
    ],
  ])('are calls, and no words: %s', (_name, text) => {
    for (const lead of ['', '<think>Chamo find_parcel.</think>\n']) {
      for (const { text: shown, calls } of everyWay(lead + text)) {
        expect(shown.trim()).toBe('');
        expect(calls).toEqual([PARCEL]);
      }
    }
    const { text: words, calls } = filtered(letters(`Um momento.\n${text}`));
    expect([words.trim(), calls]).toEqual(['Um momento.', [PARCEL]]);
  });

  it('may be several', () => {
    const call = (code: string) =>
      `<tool_call>{"name": "find_parcel", "arguments": {"code": "${code}"}}</tool_call>`;
    const { text, calls } = filtered(letters(`${call('1')}\n${call('2')}\n{"name":"close_chat"}`));
    expect(text.trim()).toBe('');
    expect(calls.map(({ name }) => name)).toEqual(['find_parcel', 'find_parcel', 'close_chat']);
  });

  it('keep every digit, and the types that the tool declares', () => {
    const filter = new AnswerFilter({ tools: TOOLS, isHolding: false, expectsThought: false });
    filter.push('<tool_call>{"name":"find_parcel","arguments":{"days":12345678901234567890}}</tool_call>');
    filter.push(
      '<function=find_parcel><parameter=code>007</parameter><parameter=days>98765432109876543210</parameter>',
    );
    filter.push('<parameter=fragile>true</parameter></function>');
    expect(filter.end(false).calls.map((call) => call.arguments)).toEqual([
      '{"days":12345678901234567890}',
      '{"code":"007","days":98765432109876543210,"fragile":true}',
    ]);
  });

  it.each([
    '<tool_call>{"name": "drop_tables", "arguments": {"all": true}}</tool_call>',
    '<tool_call>{"name": "find_parcel", "arguments": {"code": </tool_call>',
    '{"name": "drop_tables", "parameters": {"all": true}}',
    '<tool_response>{"status": "ok"}</tool_response>',
    '[TOOL_CALLS]drop_tables{"all": true}',
    '<|python_tag|>drop_tables.call(all=True)',
  ])('are left out where they are none of the declared tools, or broken: %s', (text) => {
    for (const { text: shown, calls } of everyWay(text)) {
      expect(shown.trim()).toBe('');
      expect(calls).toEqual([]);
    }
  });

  it('are left out, and not made, where no tool may be called', () => {
    const text = '<tool_call>{"name": "find_parcel", "arguments": {"code": "1"}}</tool_call>Pronto.';
    expect(filtered([text], { tools: [] })).toMatchObject({ text: 'Pronto.', calls: [] });
    const json = '{"name": "Ana", "arguments": {"a": 1}}';
    expect(filtered([json], { tools: [] })).toMatchObject({ text: json });
  });
});

describe('any text at all', () => {
  const piece = constantFrom(
    '<',
    '>',
    '</',
    '|',
    '[',
    ']',
    '{',
    '}',
    '"',
    '`',
    '```',
    '\n',
    ' ',
    '\\',
    ':',
    ',',
    '(',
    ')',
    '=',
    'think',
    'THINK',
    'tool_call',
    'find_parcel',
    'name',
    'arguments',
    'json',
    'channel',
    'message',
    'final',
    '<think>',
    '</think>',
    '<tool_call>',
    '<|channel|>',
    '<|message|>',
    '<|end|>',
    '{"name": "find_parcel"',
    'olá',
    '◁think▷',
  );

  it('comes out the same, however it is cut', () => {
    assert(
      property(
        array(piece, { maxLength: 30 }),
        array(nat(200), { maxLength: 8 }),
        boolean(),
        (parts, cuts, isHolding) => {
          const text = parts.join('');
          const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
          const cut = [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
          const whole = filtered([text], { isHolding });
          const inPieces = filtered(cut, { isHolding });
          expect(inPieces.text).toBe(whole.text);
          expect(inPieces.calls).toEqual(whole.calls);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('takes a time that grows with its length alone', () => {
    for (const unit of [
      '<',
      '{',
      '[',
      '`',
      '{"name":',
      '<think>',
      '</think>',
      '<tool_call>',
      '[find_parcel(',
      '{"name":"</think>',
      ' ',
    ]) {
      const text = unit.repeat(Math.floor(100_000 / unit.length));
      const startedAt = performance.now();
      filtered([text]);
      filtered(letters(text), { isHolding: true, expectsThought: true });
      expect(performance.now() - startedAt).toBeLessThan(3_000);
    }
  });
});
