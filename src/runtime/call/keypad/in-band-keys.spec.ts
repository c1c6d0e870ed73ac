import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CallRules,
  type CallRulesSubject,
  HANGS_UP,
  messagesOf,
} from '#test/conformance/call-rules/call-rules.js';
import { ScriptedChatModel } from '#test/support/scripted-chat-model.js';
import { TEXT_ON_SANDBOX } from '#test/support/text-rules.js';
import { VirtualClock } from '@prosa/testing';
import { SandboxCallCarrier } from '../../../providers/telephony/sandbox/sandbox-call-carrier.js';
import { MemoryJournal } from '../../../providers/telephony/sandbox/sandbox-journal.js';
import type { SessionListener } from '../session/assistant-session.js';
import { TextSession } from '../text/text-session.js';

const sent: string[] = [];
const asked: boolean[] = [];
const clocks: VirtualClock[] = [];

/** Hears keys itself, as a talk in sound does. */
class TalkWithKeys extends TextSession {
  override async start(listener: SessionListener): Promise<void> {
    await super.start(listener);
    clocks.at(-1)?.after(100, () => ['1', '2', '#'].forEach((key) => listener.onKeys(key)));
  }

  override async sendKeys(digits: string): Promise<void> {
    sent.push(digits);
  }
}

const SUBJECT: CallRulesSubject = {
  ...TEXT_ON_SANDBOX,
  time: () => {
    const clock = new VirtualClock();
    clocks.push(clock);
    return { clock, until: (promise) => clock.until(promise) };
  },
  carrier: ({ clock }, persona) => {
    const carrier = new SandboxCallCarrier({ clock, journal: new MemoryJournal(), persona });
    const capabilities = { ...carrier.capabilities, inBandDigits: true };
    return Object.defineProperty(carrier, 'capabilities', { value: capabilities });
  },
  sessions: ({ clock }) => ({
    prepare: () => {},
    make: async (setup) => {
      asked.push(setup.inBandDigits);
      if (!('text' in setup.media)) throw new Error('a line of text');
      const limits = { maxToolSteps: 4, maxToolsPerStep: 4 };
      return new TalkWithKeys(setup, setup.media.text, { clock, limits });
    },
  }),
};

describe('keys that are tones in the sound', () => {
  const rules = new CallRules(SUBJECT);
  beforeEach(() => {
    rules.begin();
    sent.length = 0;
    asked.length = 0;
  });
  afterAll(() => rules.close());

  it('are an entry for the assistant like all others', async () => {
    const { requests, actions } = await rules.play({
      replies: [HANGS_UP],
      model: new ScriptedChatModel(() => ({ text: 'Thank you.' })),
      settings: { keypad: { timeoutMs: 5_000, stopKey: '#' } },
    });

    expect(asked).toEqual([true]);
    expect(messagesOf(requests[0])).toContain('user: [Keypad: 12]');
    expect(actions[0]).toMatchObject({ type: 'digits-received', digits: '12' });
  });

  it('are played by the talk where the carrier plays none', async () => {
    const { actions } = await rules.play({
      replies: [{ say: 'Press one for me.' }, HANGS_UP],
      turns: [
        { calls: [{ name: 'send_keypad_tones', args: { digits: '1' } }] },
        { text: 'Done.' },
        { text: 'Bye.' },
      ],
      snapshot: { builtinTools: [{ type: 'dtmf_input', description: 'In menus.' }] },
    });

    expect(sent).toEqual(['1']);
    expect(actions.find(({ type }) => type === 'digits-sent')).toMatchObject({ digits: '1' });
  });
});
