import { describe, expect, it } from '@jest/globals';
import { ScriptedChatModel, type ScriptedTurn } from '../../support/scripted-chat-model.js';
import { type CallRules, GREETING, HANGS_UP, messagesOf } from './call-rules.js';

const SCREENING = 'Please say your name and the reason for your call.';
const MENU = 'For sales, press one.';
const MESSAGE = 'Dear customer, call us back.';
const KEYS = { builtinTools: [{ type: 'dtmf_input', description: 'In menus.' }] };

/** And with nothing whatever comes then, which may be asked for before the far end has hung up. */
function answering(...turns: readonly ScriptedTurn[]): ScriptedChatModel {
  return new ScriptedChatModel((_request, turn) => turns[turn] ?? { text: '' });
}

/** Of talks that tell menus and call screening by what these say. */
export function describeGatekeepers(rules: CallRules): void {
  describe('call screening', () => {
    it('gets the model’s answer who calls and why, and stays in the prompt until a person answers', async () => {
      const { said, requests, gatekeeper, answeredBy, endedBy, actions } = await rules.play({
        opening: SCREENING,
        replies: [{ say: 'Thanks, hold on.' }, { say: 'Hello?' }, HANGS_UP],
        model: answering(
          { text: 'Bia from Shoes, about an order.' },
          { text: 'Thank you.' },
          { text: 'Good morning.' },
        ),
        settings: { waitForCustomer: true, voicemailMessage: MESSAGE },
      });

      expect({ gatekeeper, answeredBy, endedBy }).toEqual({
        gatekeeper: 'screening',
        answeredBy: null,
        endedBy: 'customer',
      });
      expect(said).toEqual([
        `customer: ${SCREENING}`,
        'assistant: Bia from Shoes, about an order.',
        'customer: Thanks, hold on.',
        'assistant: Thank you.',
        'customer: Hello?',
        'assistant: Good morning.',
        'customer: Bye!',
      ]);
      for (const request of requests)
        expect(request.messages[0]?.content).toMatch(
          /^You sell shoes\.[^]*automated service screens this call/,
        );
      expect(messagesOf(requests[0])).toEqual([`user: ${SCREENING}`]);
      expect(actions).toEqual([]);
    });

    it('hears no more of a greeting that was meant for a person', async () => {
      const { said, gatekeeper } = await rules.play({
        persona: { answers: 'machine', opening: SCREENING },
        snapshot: { initialMessage: 'x'.repeat(500) },
        model: new ScriptedChatModel(() => ({ text: 'Bia from Shoes.' })),
        settings: { maxSilenceMs: 10_000, voicemailMessage: MESSAGE },
      });

      expect(gatekeeper).toBe('screening');
      expect(said).toEqual([`customer: ${SCREENING}`, 'assistant: Bia from Shoes.']);
    });

    it('that turns out to be a mailbox is treated as one', async () => {
      const { said, gatekeeper, answeredBy, endedBy, actions } = await rules.play({
        opening: SCREENING,
        replies: [{ say: 'Leave a message after the tone.' }],
        turns: [{ text: 'Bia from Shoes, about an order.' }],
        settings: { waitForCustomer: true, voicemailMessage: MESSAGE },
      });

      expect({ gatekeeper, answeredBy, endedBy }).toEqual({
        gatekeeper: 'screening',
        answeredBy: 'machine',
        endedBy: 'assistant',
      });
      expect(said.at(-1)).toBe(`assistant: ${MESSAGE}`);
      expect(actions.map(({ type }) => type)).toEqual(['voicemail-message']);
    });
  });

  describe('a voice menu', () => {
    it('gets the key that the model chooses', async () => {
      const pressed: string[] = [];
      const { gatekeeper, answeredBy, endedBy, requests, actions, said } = await rules.play({
        opening: MENU,
        replies: [HANGS_UP],
        model: answering(
          { calls: [{ name: 'send_keypad_tones', args: { digits: '1' } }] },
          { text: 'Good morning.' },
        ),
        snapshot: KEYS,
        settings: { waitForCustomer: true, voicemailMessage: MESSAGE },
        carrier: (carrier) => rules.subject.onKeysSent(carrier, (keys) => pressed.push(keys)),
      });

      expect({ gatekeeper, answeredBy, endedBy }).toEqual({
        gatekeeper: 'menu',
        answeredBy: null,
        endedBy: 'customer',
      });
      expect(pressed).toEqual(['1']);
      expect(actions.map(({ type }) => type)).toEqual(['digits-sent', 'function-call']);
      expect(requests[0]?.messages[0]?.content).toContain('Press the key that leads to a person');
      expect(said).not.toContain(`assistant: ${MESSAGE}`);
    });

    it('in which no key can be pressed ends the call, without a message', async () => {
      const { gatekeeper, answeredBy, endedBy, requests, said } = await rules.play({
        persona: { answers: 'machine', opening: MENU },
        settings: { voicemailMessage: MESSAGE },
      });

      expect({ gatekeeper, answeredBy, endedBy }).toEqual({
        gatekeeper: 'menu',
        answeredBy: 'machine',
        endedBy: 'assistant',
      });
      expect(requests).toEqual([]);
      expect(said.filter((line) => line.startsWith('assistant'))).toEqual([`assistant: ${GREETING}`]);
    });

    it('gets no message, where machines do not end the call, though it beeps and was a recording at first', async () => {
      const { gatekeeper, answeredBy, endedBy, said, actions, requests } = await rules.play({
        persona: { answers: 'machine', opening: `${'Welcome to the bank. '.repeat(8)}${MENU}` },
        model: new ScriptedChatModel(() => ({ text: 'A person, please.' })),
        settings: { endOnVoicemail: false, voicemailMessage: MESSAGE, maxSilenceMs: 10_000 },
      });

      expect({ gatekeeper, answeredBy, endedBy }).toEqual({
        gatekeeper: 'menu',
        answeredBy: null,
        endedBy: 'silence',
      });
      expect(said).not.toContain(`assistant: ${MESSAGE}`);
      expect(actions.map(({ type }) => type)).not.toContain('voicemail-message');
      expect(requests[0]?.messages[0]?.content).toContain('you cannot press keys');
    });
  });
}
