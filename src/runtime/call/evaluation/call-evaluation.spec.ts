import { describe, expect, it } from '@jest/globals';
import { ScriptedChatModel, type ScriptedTurn } from '#test/support/scripted-chat-model.js';
import type { ChatModel } from '../../../providers/llm/chat-model.js';
import { ModelError } from '../../../providers/llm/model-error.js';
import { SandboxChatModel } from '../../../providers/llm/sandbox/sandbox-chat-model.js';
import { evaluateCall, type EvaluationInput } from './call-evaluation.js';

const FIELDS = [
  { name: 'city', type: 'string', description: 'City of the customer' },
  { name: 'people', type: 'number', description: 'How many people' },
] as const;
const GOOD = { status: true, summary: 'They want a table.', city: 'Recife', people: 4 };
const UNKNOWN = { status: null, summary: null, city: null, people: null };

const report = (args: object | string): ScriptedTurn => ({ calls: [{ name: 'report_evaluation', args }] });

function scene(chatModel: ChatModel, errors: unknown[] = []): EvaluationInput {
  return {
    chatModel,
    model: { code: 'main' },
    instructions: 'Reserve tables.',
    language: 'en',
    transcript: 'AI: Hello\nCustomer: A table for 4 in Recife',
    answeredBy: 'human',
    fields: FIELDS,
    signal: new AbortController().signal,
    onError: (error) => errors.push(error),
  };
}

/** A model behind a server, that says what a test has written down. */
function evaluateWith(turns: ScriptedTurn | readonly ScriptedTurn[], transcript?: string) {
  const script = ScriptedChatModel.saying(...[turns].flat());
  const model: ChatModel = {
    provider: 'openai-compatible',
    capabilities: script.capabilities,
    stream: (request, options) => script.stream(request, options),
  };
  const errors: unknown[] = [];
  return {
    evaluation: evaluateCall({ ...scene(model, errors), ...(transcript ? { transcript } : {}) }),
    errors,
    requests: script.requests,
  };
}

describe('the evaluation of a call', () => {
  it('asks for status, summary and the fields of the schema, as a tool the model must call', async () => {
    const { evaluation, requests } = evaluateWith(report(GOOD));
    expect(await evaluation).toEqual(GOOD);
    expect(requests[0]).toMatchObject({
      toolChoice: 'required',
      tools: [
        {
          parameters: {
            properties: {
              status: { type: 'boolean' },
              summary: { type: 'string' },
              city: { type: 'string', description: 'City of the customer' },
              people: { type: 'number' },
            },
            required: ['status', 'summary', 'city', 'people'],
          },
        },
      ],
    });
  });

  it('takes JSON from a model that writes it instead, and drops what was not asked for', async () => {
    const text = `Here:\n\`\`\`json\n${JSON.stringify({ ...GOOD, mood: 'fine' })}\n\`\`\``;
    expect(await evaluateWith({ text }).evaluation).toEqual(GOOD);
  });

  it('keeps the digits of a number that no double holds', async () => {
    const json = JSON.stringify(GOOD).replace('4}', '98765432109876543210}');
    expect(await evaluateWith(report(json)).evaluation).toEqual({ ...GOOD, people: '98765432109876543210' });
  });

  it('reads the newer half of a transcript that is too long for the model', async () => {
    const tooLong: ScriptedTurn = { fails: new ModelError('rejected', { isTooLong: true }) };
    const lines = Array.from({ length: 400 }, (_, line) => `Customer: line ${line}`);
    const { evaluation, requests } = evaluateWith([tooLong, tooLong, report(GOOD)], lines.join('\n'));
    expect(await evaluation).toEqual(GOOD);
    const read = requests.map(({ messages }) => messages.at(-1)?.content ?? '');
    expect(read.map(({ length }) => length)).toEqual([7_520, 3_760, 1_880]);
    expect(read.at(-1)).toMatch(/^\[The beginning is left out\.\]\n.*line 399$/s);
  });

  it.each([
    ['a value of the wrong type', report({ ...GOOD, people: 'four' })],
    ['a value that is missing', report({ status: true, summary: 'Short.' })],
    ['no JSON', report('{"status": tru')],
    ['words', { text: 'It went well.' }],
    ['a failure of the model', { fails: new ModelError('unavailable') }],
  ])('asks once more after %s', async (_name, wrong) => {
    const { evaluation, errors, requests } = evaluateWith([wrong, report(GOOD)]);
    expect(await evaluation).toEqual(GOOD);
    expect(requests).toHaveLength(2);
    expect(errors).toHaveLength(1);
  });

  it('has no values when the second answer is wrong too', async () => {
    const { evaluation, errors } = evaluateWith([{ text: 'no' }, { text: 'no' }]);
    expect(await evaluation).toEqual(UNKNOWN);
    expect(errors).toHaveLength(2);
  });

  it('fails when the model gives no answer twice, so that it can be asked later', async () => {
    const unavailable = { fails: new ModelError('unavailable') };
    const { evaluation, requests } = evaluateWith([unavailable, unavailable, report(GOOD)]);
    await expect(evaluation).rejects.toMatchObject({ code: 'unavailable' });
    expect(requests).toHaveLength(2);
  });

  it('is the same each time on the sandbox, and made of the customer’s words', async () => {
    const first = await evaluateCall(scene(new SandboxChatModel()));
    expect(first).toEqual({
      status: true,
      summary: '[sandbox] The customer spoke 1 time(s), lastly: "A table for 4 in Recife"',
      city: 'A table for 4 in Recife',
      people: 4,
    });
    expect(await evaluateCall(scene(new SandboxChatModel()))).toEqual(first);
  });

  it('on the sandbox, a machine or a refusal reaches no goal', async () => {
    const sandbox = scene(new SandboxChatModel());
    expect(await evaluateCall({ ...sandbox, answeredBy: 'machine' })).toMatchObject({ status: false });
    expect(
      await evaluateCall({ ...sandbox, transcript: 'Customer: I am not interested, thank you.' }),
    ).toMatchObject({ status: false });
  });
});
