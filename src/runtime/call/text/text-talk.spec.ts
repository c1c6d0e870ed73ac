import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CallRules,
  type CallRulesSubject,
  CUSTOMER,
} from '../../../../test/conformance/call-rules/call-rules.js';
import { describeCallRules } from '../../../../test/conformance/call-rules.conformance.js';
import { VirtualClock } from '../../../../test/support/virtual-clock.js';
import { SandboxChatModel } from '../../../providers/llm/sandbox/sandbox-chat-model.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { SandboxCallCarrier } from '../../../providers/telephony/sandbox/sandbox-call-carrier.js';
import { MemoryJournal } from '../../../providers/telephony/sandbox/sandbox-journal.js';
import { personaOf } from '../../../providers/telephony/sandbox/sandbox-persona.js';
import { SANDBOX_TIMES, speechMs } from '../../../providers/telephony/sandbox/sandbox-times.js';
import { TextTalks } from './text-talks.js';

const ON_TEXT: CallRulesSubject = {
  timeScale: 1,
  toleranceMs: 0,
  thinksMs: SANDBOX_TIMES.thinksMs,
  speechMs,
  wordByWord: false,
  pressMs: () => 0,
  answersMs: 0,
  machineKnownMs: speechMs,
  machineRecordsMs: speechMs,
  onKeysSent: (carrier, listener) => {
    const sendDigits = carrier.sendDigits.bind(carrier);
    carrier.sendDigits = (callId, digits) => {
      listener(digits);
      return sendDigits(callId, digits);
    };
  },
  time: () => {
    const clock = new VirtualClock();
    return { clock, until: (promise) => clock.until(promise) };
  },
  carrier: ({ clock }, persona) => new SandboxCallCarrier({ clock, journal: new MemoryJournal(), persona }),
  talks: (chatModel, { clock }) =>
    new TextTalks({ chatModel, clock, limits: { maxToolSteps: 4, maxToolsPerStep: 4 } }),
};

describeCallRules('text on the sandbox', ON_TEXT);

describe('a talk in text', () => {
  const rules = new CallRules(ON_TEXT);
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
