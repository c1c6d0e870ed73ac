import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerJson, LocalServer } from '../../support/http-server.js';
import { ScriptedChatModel } from '../../support/scripted-chat-model.js';
import { type CallRules, GREETING, HANGS_UP, type Scene } from './call-rules.js';

export function describeSilence(rules: CallRules): void {
  describe('silence', () => {
    it('ends the call after max_silence_duration', async () => {
      const { endedBy, durationMs } = await rules.play({ settings: { maxSilenceMs: 40_000 } });

      expect(endedBy).toBe('silence');
      expect(rules.offMs(durationMs, rules.speechMs(GREETING) + rules.scaled(40_000))).toBe(0);
    });

    it('ends it earlier when the customer never spoke', async () => {
      const { endedBy, durationMs } = await rules.play({
        settings: { maxSilenceMs: 40_000, maxInitialSilenceMs: 10_000 },
      });

      expect(endedBy).toBe('silence');
      expect(rules.offMs(durationMs, rules.speechMs(GREETING) + rules.scaled(10_000))).toBe(0);
    });

    it('is not initial any more once the customer has spoken', async () => {
      const { durationMs, transcript } = await rules.play({
        replies: [{ say: 'Hi.' }],
        turns: [{ text: 'Hello.' }],
        settings: { maxSilenceMs: 40_000, maxInitialSilenceMs: 10_000 },
      });

      expect(
        rules.offMs(
          durationMs,
          (transcript.at(-1)?.startMs ?? 0) + rules.speechMs('Hello.') + rules.scaled(40_000),
        ),
      ).toBe(0);
    });

    it('makes the assistant speak at each interval, and goes on counting', async () => {
      const { actions, said, requests, durationMs } = await rules.play({
        model: new ScriptedChatModel(() => ({ text: 'Are you there?' })),
        settings: {
          maxSilenceMs: 25_000,
          reengagementIntervalMs: 10_000,
          reengagementPrompt: 'Ask for a sign.',
        },
      });

      expect(said).toEqual([
        `assistant: ${GREETING}`,
        'assistant: Are you there?',
        'assistant: Are you there?',
      ]);
      expect(actions.map(({ type }) => type)).toEqual(['reengagement', 'reengagement']);
      expect(requests[0]?.messages.at(-1)).toMatchObject({
        role: 'system',
        content: expect.stringContaining('Ask for a sign.'),
      });
      expect(
        rules.offMs(
          durationMs,
          rules.speechMs(GREETING) + rules.scaled(25_000) + 2 * rules.speechMs('Are you there?'),
        ),
      ).toBe(0);
    });

    it('says nothing into it without a prompt', async () => {
      const { actions } = await rules.play({ settings: { reengagementIntervalMs: 7_000 } });

      expect(actions).toEqual([]);
    });

    it('begins anew when the customer speaks', async () => {
      const { actions } = await rules.play({
        replies: [{ say: 'Hm.' }, { say: 'Hm.' }, HANGS_UP],
        model: new ScriptedChatModel((request) => ({
          text: request.messages.at(-1)?.role === 'system' ? 'Hello?' : 'Go on.',
        })),
        settings: { maxSilenceMs: 15_000, reengagementIntervalMs: 10_000, reengagementPrompt: 'Ask.' },
      });

      expect(actions).toEqual([]);
    });

    it('does not count while a tool runs', async () => {
      const untilMs = rules.clock.nowMs() + rules.scaled(30_000);
      const server = await LocalServer.start(async (_request, response) => {
        while (rules.clock.nowMs() < untilMs) await sleep(2);
        answerJson(response, { stock: 3 });
      });
      const slow = new ScriptedChatModel((_request, turn) =>
        turn === 0 ? { calls: [{ name: 'stock' }] } : { text: 'Three pairs.' },
      );
      const { endedBy, actions, said } = await rules.play({
        replies: [{ say: 'How many?' }, HANGS_UP],
        model: slow,
        settings: { maxSilenceMs: 5_000 },
        // Something must happen in virtual time while the real request is under way.
        carrier: () => {
          for (let ms = 0; ms < 200_000; ms += 250) rules.after(ms, () => {});
        },
        snapshot: {
          httpTools: [
            {
              name: 'stock',
              description: 'The stock',
              endpoint: `${server.url}/stock`,
              method: 'GET',
              bodyFormat: 'json',
              headers: [],
              staticFields: [],
              timeoutMs: 5_000,
              parameters: [],
            },
          ],
        },
      });
      await server.stop();

      expect(server.requests.map(({ path }) => path)).toEqual(['/stock']);
      expect(actions).toMatchObject([
        { type: 'function-call', call: { name: 'stock', result: expect.anything() } },
      ]);
      expect(said).toContain('assistant: Three pairs.');
      expect(endedBy).toBe('customer');
    });
  });
}

export function describeVoicemail(rules: CallRules): void {
  describe('a voicemail', () => {
    const words = 'Leave a message after the tone.';
    const machine: Scene = { persona: { answers: 'machine', opening: words } };

    it('gets the message, and the call ends', async () => {
      const { endedBy, answeredBy, said, requests, actions } = await rules.play({
        ...machine,
        settings: { voicemailMessage: 'Dear {{name}}, call us back.' },
      });

      expect({ endedBy, answeredBy }).toEqual({ endedBy: 'assistant', answeredBy: 'machine' });
      expect(said.at(-1)).toBe('assistant: Dear Ana, call us back.');
      expect(actions.map(({ type }) => type)).toEqual(['voicemail-message']);
      expect(requests).toEqual([]);
    });

    it('without a message ends the call at once', async () => {
      const { endedBy, durationMs, said } = await rules.play(machine);

      expect(endedBy).toBe('assistant');
      expect(said.filter((line) => line.startsWith('assistant'))).toEqual([`assistant: ${GREETING}`]);
      expect(rules.offMs(durationMs, rules.subject.machineKnownMs(words))).toBe(0);
    });

    it('cuts off the greeting', async () => {
      const { durationMs } = await rules.play({
        ...machine,
        snapshot: { initialMessage: 'x'.repeat(500) },
        settings: { voicemailMessage: 'Call us.' },
      });

      const beginsMs = rules.subject.machineRecordsMs(words);
      expect(rules.offMs(durationMs, beginsMs + rules.speechMs('Call us.'))).toBe(0);
    });

    it('does not end the call when it should not', async () => {
      const { endedBy, said } = await rules.play({
        ...machine,
        model: new ScriptedChatModel(() => ({ text: 'Good day.' })),
        settings: { endOnVoicemail: false, voicemailMessage: 'Call us.', maxSilenceMs: 10_000 },
      });

      expect(endedBy).toBe('silence');
      expect(said).toContain('assistant: Call us.');
    });
  });
}
