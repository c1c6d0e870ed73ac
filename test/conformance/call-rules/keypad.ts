import { describe, expect, it } from '@jest/globals';
import { ScriptedChatModel } from '../../support/scripted-chat-model.js';
import { type CallRules, GREETING, HANGS_UP, messagesOf } from './call-rules.js';

export function describeKeypad(rules: CallRules): void {
  describe('the keypad', () => {
    const keypad = { timeoutMs: 5_000, stopKey: '#' };
    const answering = () => new ScriptedChatModel(() => ({ text: 'Thank you.' }));

    it('sends what was typed when the stop key is pressed', async () => {
      const { requests, actions, transcript } = await rules.play({
        replies: [{ press: '1234#' }, HANGS_UP],
        model: answering(),
        settings: { keypad },
      });

      expect(messagesOf(requests[0]).at(-1)).toBe('user: [Keypad: 1234]');
      expect(actions[0]).toMatchObject({ type: 'digits-received', digits: '1234' });
      expect(transcript[1]).toMatchObject({ speaker: 'customer' });
      const enteredMs = rules.speechMs(GREETING) + rules.thinksMs + rules.subject.pressMs('1234#');
      expect(rules.offMs(transcript[1]?.endMs, enteredMs)).toBe(0);
    });

    it('sends it when no key was pressed for the time allowed', async () => {
      const { transcript } = await rules.play({
        replies: [{ press: '12' }, HANGS_UP],
        model: answering(),
        settings: { keypad },
      });

      expect(transcript[1]).toMatchObject({ speaker: 'customer', text: '[Keypad: 12]', interrupted: false });
      const pressedMs = rules.speechMs(GREETING) + rules.thinksMs + rules.subject.pressMs('12');
      const enteredMs = pressedMs + rules.scaled(5_000);
      expect(rules.offMs(transcript[1]?.endMs, enteredMs)).toBe(0);
    });

    it('takes another stop key, and the usual one as a digit of two entries', async () => {
      const { actions } = await rules.play({
        replies: [{ press: '1#2*34*' }, HANGS_UP],
        model: answering(),
        settings: { keypad: { ...keypad, stopKey: '*' } },
      });

      expect(actions).toMatchObject([{ digits: '1#2' }, { digits: '34' }]);
    });

    it('does not let silence end the call while the customer types', async () => {
      const { endedBy, actions } = await rules.play({
        replies: [{ press: '12' }, HANGS_UP],
        model: answering(),
        settings: { keypad: { timeoutMs: 30_000, stopKey: '#' }, maxSilenceMs: 10_000 },
      });

      expect(actions[0]).toMatchObject({ digits: '12' });
      expect(endedBy).toBe('customer');
    });

    it('means nothing to an assistant without it', async () => {
      const { requests, actions } = await rules.play({
        replies: [{ press: '1234#' }],
        settings: { maxSilenceMs: 10_000 },
      });

      expect([requests, actions]).toEqual([[], []]);
    });

    it('presses keys of others', async () => {
      const pressed: string[] = [];
      const { actions, requests } = await rules.play({
        replies: [{ say: 'Press 1 for sales.' }, HANGS_UP],
        turns: [
          {
            calls: [
              { name: 'send_keypad_tones', args: { digits: '1' } },
              { name: 'send_keypad_tones', args: { digits: 'one' } },
            ],
          },
          { text: '' },
        ],
        snapshot: { builtinTools: [{ type: 'dtmf_input', description: 'In menus.' }] },
        settings: { maxSilenceMs: 10_000 },
        carrier: (carrier) => rules.subject.onKeysSent(carrier, (keys) => pressed.push(keys)),
      });

      expect(pressed).toEqual(['1']);
      expect(actions.filter(({ type }) => type === 'digits-sent')).toMatchObject([{ digits: '1' }]);
      expect(requests[1]?.messages.filter(({ role }) => role === 'tool')).toContainEqual(
        expect.objectContaining({ content: expect.stringContaining('Only 0-9') }),
      );
    });
  });
}
