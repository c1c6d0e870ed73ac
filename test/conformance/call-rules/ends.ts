import { describe, expect, it } from '@jest/globals';
import { ModelError } from '../../../src/providers/llm/model-error.js';
import type { CallCarrier } from '../../../src/providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../../src/providers/telephony/call-carrier-error.js';
import { SANDBOX_TIMES } from '../../../src/providers/telephony/sandbox/sandbox-times.js';
import { ScriptedChatModel, type ScriptedTurn } from '../../support/scripted-chat-model.js';
import { type CallRules, GREETING, HANGS_UP } from './call-rules.js';

export function describeEnds(rules: CallRules): void {
  describe('the end', () => {
    it('comes after max_duration, whatever is said', async () => {
      const { endedBy, durationMs, lineEnd } = await rules.play({
        replies: Array.from({ length: 50 }, () => ({ say: 'And then?' })),
        model: new ScriptedChatModel(() => ({ text: 'More.' })),
        settings: { maxDurationMs: 20_000 },
      });

      expect(endedBy).toBe('limit');
      expect(rules.offMs(durationMs, rules.scaled(20_000))).toBe(0);
      expect(lineEnd).toMatchObject({ outcome: 'hung-up', by: 'platform' });
    });

    it('comes by the end_call tool, after the goodbye', async () => {
      const { endedBy, said, durationMs, actions } = await rules.play({
        replies: [{ say: 'No thanks.' }],
        turns: [{ text: 'I see.', calls: [{ name: 'end_call' }] }, { text: 'Have a nice day!' }],
        snapshot: { builtinTools: [{ type: 'end_call', description: 'When the customer declines.' }] },
      });

      expect(endedBy).toBe('assistant');
      expect(rules.wordsOf(said.slice(1))).toBe('I see.\n\nHave a nice day!');
      expect(actions).toMatchObject([{ type: 'function-call', call: { name: 'end_call' } }]);
      expect(
        rules.offMs(
          durationMs,
          rules.speechMs(GREETING) +
            rules.thinksMs +
            rules.speechMs('No thanks.') +
            rules.subject.answersMs +
            rules.speechMs('I see.\n\nHave a nice day!'),
        ),
      ).toBe(0);
    });

    it('comes when it is stopped', async () => {
      const stop = new AbortController();
      rules.after(8_000, () => stop.abort());
      const { endedBy, lineEnd } = await rules.play({ call: { signal: stop.signal } });

      expect(endedBy).toBe('stopped');
      expect(lineEnd).toMatchObject({ by: 'platform' });
    });

    it('comes when another process hangs up', async () => {
      const { endedBy, lineIsOpen } = await rules.play({
        carrier: (carrier) => {
          rules.after(8_000, () => void hangUpAttempt(carrier));
        },
      });

      expect({ endedBy, lineIsOpen }).toEqual({ endedBy: 'stopped', lineIsOpen: false });
    });

    it('is reported when the customer hangs up while the assistant speaks or thinks', async () => {
      const { endedBy, durationMs } = await rules.play({
        replies: [{ hangUp: 'instead' }],
      });

      expect(endedBy).toBe('customer');
      expect(rules.offMs(durationMs, SANDBOX_TIMES.interruptsAfterMs)).toBe(0);
    });

    it('leaves the line open when hanging up fails, and says so', async () => {
      const broken = new CallCarrierError('unavailable', 'maybe');
      const { lineIsOpen } = await rules.play({
        settings: { maxDurationMs: 20_000 },
        carrier: (carrier) => {
          carrier.hangUp = () => Promise.reject(broken);
        },
      });

      expect(lineIsOpen).toBe(true);
      expect(rules.errors).toEqual([broken]);
    });
  });
}

export function describeFailingModels(rules: CallRules): void {
  describe('models that fail', () => {
    const failing: ScriptedTurn = { fails: new ModelError('unavailable') };

    it('are asked once more', async () => {
      const { said, endedBy } = await rules.play({
        replies: [{ say: 'Hi.' }, HANGS_UP],
        turns: [{ text: 'Goo', ...failing }, { text: 'Good day.' }, { text: 'Bye.' }],
      });

      expect(said).toContain(`assistant: ${rules.subject.wordByWord ? 'GooGood day.' : 'Good day.'}`);
      expect(endedBy).toBe('customer');
      expect(rules.errors).toMatchObject([{ code: 'unavailable' }]);
    });

    it('end the call when they fail again', async () => {
      const { endedBy, error, lineEnd } = await rules.play({
        replies: [{ say: 'Hi.' }],
        turns: [failing, failing],
      });

      expect(endedBy).toBe('failed');
      expect(error).toMatchObject({ code: 'unavailable' });
      expect(lineEnd).toMatchObject({ by: 'platform' });
    });

    it('never make a tool run again', async () => {
      const { endedBy, requests } = await rules.play({
        replies: [{ say: 'Hi.' }],
        turns: [{ calls: [{ name: 'nothing' }] }, failing, failing],
      });

      expect(endedBy).toBe('failed');
      // The request behind the tool is asked again, with the tool's result.
      const roles = requests.slice(1).map(({ messages }) => messages.at(-1)?.role);
      expect(roles).toEqual(['tool', 'tool']);
    });
  });
}

async function hangUpAttempt(carrier: CallCarrier): Promise<void> {
  const lookup = await carrier.findCall('attempt');
  if (lookup.found === 'yes') await carrier.hangUp(lookup.call.callId);
}
