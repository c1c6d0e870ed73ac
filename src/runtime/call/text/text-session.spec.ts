import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CallRules, CUSTOMER, HANGS_UP } from '#test/conformance/call-rules/call-rules.js';
import { describeCallRules } from '#test/conformance/call-rules.conformance.js';
import { TEXT_ON_SANDBOX } from '#test/support/text-rules.js';
import { SandboxChatModel } from '../../../providers/llm/sandbox/sandbox-chat-model.js';
import { ModelError } from '../../../providers/llm/model-error.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { personaOf } from '../../../providers/telephony/sandbox/sandbox-persona.js';
import { SANDBOX_TIMES } from '../../../providers/telephony/sandbox/sandbox-times.js';

describeCallRules('text on the sandbox', TEXT_ON_SANDBOX);

describe('TextSession', () => {
  const rules = new CallRules(TEXT_ON_SANDBOX);
  beforeEach(() => rules.begin());
  afterAll(() => rules.close());

  it('holds a conversation from the greeting to the goodbye', async () => {
    const { endedBy, said } = await rules.play({
      persona: personaOf(CUSTOMER, 1),
      model: new SandboxChatModel(),
      snapshot: {
        systemPrompt: 'Você é a Bia. A loja abre às nove horas.',
        initialMessage: 'Bom dia! Aqui é a Bia, da loja de sapatos.',
        language: { name: 'Portuguese', iso2: 'pt' },
      },
    });

    expect(endedBy).toBe('customer');
    expect(said.filter((line) => line.startsWith('customer'))).toEqual([
      'customer: Oi, sou eu sim.',
      'customer: Pode falar, estou ouvindo.',
      'customer: Certo, obrigado. Tchau!',
    ]);
    expect(said.filter((line) => line.startsWith('assistant')).length).toBeGreaterThanOrEqual(3);
  });

  it('says the words of a hand-over once when the model of the one that takes over fails', async () => {
    const target = { assistantId: 7, name: 'Sales', description: 'Buying', message: 'I get you our sales.' };
    const models = { model: { code: 'sales' }, fallbackModel: { code: 'spare' } };
    const sales = rules.speakerOf({ id: 7, name: 'Sales', ...models });
    const { transcript } = await rules.play({
      replies: [{ say: 'I want shoes.' }, HANGS_UP],
      turns: [
        { text: 'Sure.', calls: [{ name: 'handoff_to_assistant', args: { assistant: 'Sales' } }] },
        { text: 'Wh', fails: new ModelError('unavailable') },
        { text: 'Which size?' },
        { text: 'Bye.' },
      ],
      snapshot: { handoffs: [target] },
      call: { handoffs: { count: 0, find: async () => sales, record: async () => true } },
    });

    const said = transcript.map(({ speaker, text, assistant }) => `${assistant?.name ?? speaker}: ${text}`);
    expect(said.slice(2, 4)).toEqual(['assistant: Sure.\n\nI get you our sales.', 'Sales: Which size?']);
  });

  it('is a failure when the line breaks', async () => {
    const broken = new CallCarrierError('unavailable', 'maybe');
    const { endedBy, error } = await rules.play({
      carrier: (carrier) => {
        if ('text' in carrier.media) carrier.media.text.say = () => Promise.reject(broken);
      },
    });

    expect({ endedBy, error }).toEqual({ endedBy: 'failed', error: broken });
  });

  it('tells of what was cut off, and how far it came', async () => {
    const { transcript } = await rules.play({ replies: [{ hangUp: 'instead' }] });

    expect(transcript).toEqual([
      {
        speaker: 'assistant',
        text: 'Good morning, Ana.',
        startMs: 0,
        endMs: SANDBOX_TIMES.interruptsAfterMs,
        interrupted: true,
      },
    ]);
  });
});
