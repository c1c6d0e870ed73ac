/**
 * How often customers interrupt an assistant: `npm run bench -- turns [--calls 6] [--kind noise]`.
 *
 * More than 200 situations in Portuguese and English: signs of listening, coughs, noise, music and a second speaker, which are
 * not to interrupt; questions, corrections and answers, which are. Each goes over a telephone line of 8 kHz to the engine, its
 * detector of speech and our filters, in real time. The words of the recognizer are scripted: a short word or a text that is
 * known from noise, as the situation says. The column "before" is the same with `ignore_backchannels` off and without filters.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { initializeLogger } from '@livekit/agents';
import { CustomerHearing } from '../src/voice/hearing/customer-hearing.js';
import { ScriptedChatModel } from '../test/support/scripted-chat-model.js';
import { VoiceSessionRun, VOICE } from '../test/support/voice/voice-session-run.js';
import { KINDS, type Situation, situations } from './turns/situations.js';

/** A gap in the assistant's speech that is heard as a stop. */
const GAP_MS = 400;

interface Outcome {
  readonly situation: Situation;
  /** The assistant stopped for good, or answered. */
  readonly isInterrupted: boolean;
  /** It stopped for a moment, and went on. */
  readonly stutters: boolean;
  /** From the customer's first sound to the assistant's last; null where it was not interrupted. */
  readonly stopMs: number | null;
}

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '6' }, kind: { type: 'string', default: '' } },
});
initializeLogger({ pretty: false, level: 'silent' });
const all = (await situations()).filter(({ kind }) => kind.includes(values.kind));
// The first talk loads what all talks share.
await (await VoiceSessionRun.start()).close();

const after = await outcomes(true);
CustomerHearing.prototype.sift = (event) => event;
const before = await outcomes(false);

console.table(
  KINDS.map((kind) => {
    const of = (list: readonly Outcome[]) => list.filter(({ situation }) => situation.kind === kind);
    const [now, earlier] = [of(after), of(before)];
    return {
      kind,
      situations: now.length,
      'is to interrupt': now[0]?.situation.interrupts === true ? 'yes' : 'no',
      interrupted: count(now, 'isInterrupted'),
      'interrupted before': count(earlier, 'isInterrupted'),
      'stopped and went on': count(now, 'stutters'),
      'stopped and went on before': count(earlier, 'stutters'),
      'stops after ms (median)': median(now),
      'before ms': median(earlier),
    };
  }),
);
console.table([rates('now', after), rates('before', before)]);
process.exit(0);

async function outcomes(isFiltered: boolean): Promise<Outcome[]> {
  const waiting = [...all];
  const found: Outcome[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      found.push(await outcomeOf(next, isFiltered));
  };
  await Promise.all(Array.from({ length: Number(values.calls) }, work));
  return found;
}

async function outcomeOf(situation: Situation, isFiltered: boolean): Promise<Outcome> {
  const { assistant, afterMs, sound, heard, language } = situation;
  const run = await VoiceSessionRun.start({
    chatModel: new ScriptedChatModel(() => ({ text: language === 'pt' ? 'Pois não.' : 'Of course.' })),
    voice: {
      languages: [language === 'pt' ? { iso2: 'pt', locale: 'pt-BR' } : { iso2: 'en', locale: 'en-US' }],
      interruptions: { ...VOICE.interruptions, ignoreBackchannels: isFiltered },
    },
  });
  const said = run.talk.say(assistant);
  while (run.line.soundAfter(0) === null) await sleep(20);
  await sleep(afterMs);
  run.speech.stt.expect(heard, language);
  const beganMs = run.line.nowMs;
  await run.line.speak(sound);
  const spoken = await said;
  const saidMs = run.line.nowMs;
  await sleep(2_000);
  const isInterrupted = spoken === 'interrupted' || (run.chatModel as ScriptedChatModel).requests.length > 0;
  const lastMs = run.line.lastSoundBefore(saidMs) ?? beganMs;
  const stutters = !isInterrupted && longestGapMs(run, beganMs, lastMs) > GAP_MS;
  await run.close();
  return { situation, isInterrupted, stutters, stopMs: isInterrupted ? lastMs - beganMs : null };
}

function longestGapMs({ line }: VoiceSessionRun, fromMs: number, toMs: number): number {
  let longest = 0;
  for (let at = fromMs; at < toMs; at += 100) longest = Math.max(longest, (line.soundAfter(at) ?? at) - at);
  return longest;
}

function count(list: readonly Outcome[], what: 'isInterrupted' | 'stutters'): number {
  return list.filter((outcome) => outcome[what]).length;
}

function median(list: readonly Outcome[]): number | string {
  const times = list.flatMap(({ stopMs }) => (stopMs === null ? [] : [stopMs])).toSorted((a, b) => a - b);
  return times.length === 0 ? '–' : Math.round(times[Math.floor(times.length / 2)] ?? 0);
}

function rates(when: string, list: readonly Outcome[]): Record<string, string> {
  const share = (part: readonly Outcome[]) =>
    `${count(part, 'isInterrupted')} of ${part.length} (${((100 * count(part, 'isInterrupted')) / part.length).toFixed(1)} %)`;
  return {
    when,
    'interruptions that should happen': share(list.filter(({ situation }) => situation.interrupts)),
    'interruptions that should not': share(list.filter(({ situation }) => !situation.interrupts)),
  };
}
