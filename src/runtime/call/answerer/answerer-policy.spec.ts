import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@prosa/testing';
import type { CallLine } from '../../../providers/telephony/call/call-line.js';
import type { CallSetup } from '../session/call-setup.js';
import { CallLog } from '../state/call-log.js';
import { CallTermination } from '../state/call-termination.js';
import type { SayHow, Spoken, AssistantSession } from '../session/assistant-session.js';
import { AnswererPolicy } from './answerer-policy.js';

const MESSAGE = 'Call us back.';

/** Finishes a sentence when the test says so. */
class WaitingTalk {
  readonly log: string[] = [];
  private waiting: ((spoken: Spoken) => void)[] = [];

  say(text: string, { afterBeep = false }: SayHow = {}): Promise<Spoken> {
    this.log.push(`${afterBeep ? 'after the beep: ' : ''}${text}`);
    // Another wait takes the place of the one before.
    this.settle('cut');
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  cut(): void {
    this.log.push('cut');
  }

  instruct(note: string): void {
    this.log.push(`instructed: ${note.split('.')[0]}`);
    this.settle('cut');
  }

  settle(spoken: Spoken): void {
    for (const resolve of this.waiting.splice(0)) resolve(spoken);
  }
}

function policyWith({ tools = [] as readonly string[], endOnVoicemail = true } = {}) {
  const session = new WaitingTalk();
  const record = new CallLog([], () => 0);
  const termination = new CallTermination(new VirtualClock());
  const call = {
    settings: { voicemailMessage: MESSAGE, endOnVoicemail },
    assistant: { tools: new Map(tools.map((name) => [name, {}])) },
  } as unknown as CallSetup;
  const line = { capabilities: { sendDigits: true, inBandDigits: false } } as CallLine;
  const policy = new AnswererPolicy(call, line, {}, record, termination, {
    session: session as unknown as AssistantSession,
    runInBackground: (action) => void action(session as unknown as AssistantSession),
  });
  return { policy, session, record, termination };
}

describe('the policy about who has answered', () => {
  it('hears a menu without keys to its end, and ends the call', async () => {
    const { policy, session, record, termination } = policyWith();
    policy.report('menu');
    await setImmediate();
    expect({ log: session.log, isOver: termination.isOver }).toEqual({
      log: ['cut', 'after the beep: '],
      isOver: false,
    });
    session.settle('heard');
    await setImmediate();
    expect([termination.isOver, record.answeredBy, record.gatekeeper]).toEqual([true, 'machine', 'menu']);
    expect(record.actions).toEqual([]);
  });

  it('leaves its message in a mailbox that has named keys before', async () => {
    const { policy, session, record, termination } = policyWith();
    policy.report('menu');
    await setImmediate();
    policy.report('machine');
    await setImmediate();
    expect(session.log.at(-1)).toBe(`after the beep: ${MESSAGE}`);
    expect(termination.isOver).toBe(false);
    session.settle('heard');
    await setImmediate();
    expect([termination.isOver, record.answeredBy]).toEqual([true, 'machine']);
    expect(record.actions).toMatchObject([{ type: 'voicemail-message' }]);
  });

  it.each([
    ['a menu in which keys can be pressed', 'menu', { tools: ['send_keypad_tones'] }],
    ['a menu, where machines do not end the call', 'menu', { endOnVoicemail: false }],
    ['call screening', 'screening', {}],
  ] as const)(
    'takes its message back from a recording that turns out to be %s',
    async (_what, farEnd, settings) => {
      const { policy, session, record, termination } = policyWith(settings);
      policy.report('machine');
      await setImmediate();
      policy.report(farEnd);
      await setImmediate();
      expect(session.log.at(-1)).toMatch(/^instructed: /);
      expect([termination.isOver, record.answeredBy, record.gatekeeper]).toEqual([false, null, farEnd]);
      expect(record.actions).toEqual([]);
    },
  );
});
