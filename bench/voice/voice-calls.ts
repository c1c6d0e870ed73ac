// One process with so many calls: `voice-calls.ts <calls> <seconds> <noise cancellation>`; sends its VoiceMeasure to the parent.
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger } from '@livekit/agents';
import { lineClock } from '../../src/providers/telephony/line-clock.js';
import { ScriptedChatModel } from '../../test/support/scripted-chat-model.js';
import { spoken } from '@prosa/testing';
import { VoiceSessionRun } from '../../test/support/voice/voice-session-run.js';

export interface VoiceMeasure {
  /** Of one core, of the whole process. */
  readonly coreShare: number;
  readonly idleRssMb: number;
  readonly rssMb: number;
  readonly turns: number;
  readonly response: Percentiles;
  /** After the end of the turn was certain, until the answer is heard. */
  readonly platform: Percentiles;
  readonly skippedTicks: number;
  readonly failures: number;
}

interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

const QUESTION = 'Eu gostaria de marcar uma consulta para amanhã';
const ANSWER = 'Claro, para que horas seria?';
const PAUSE_MS = 2_500;

const [calls = 1, seconds = 20] = process.argv.slice(2, 4).map(Number);
const noiseCancellation = process.argv[4] === 'true';

initializeLogger({ pretty: false, level: 'silent' });
const question = await spoken(QUESTION, 8_000);
// The first talk loads what all talks share.
await (await start()).close();
const idleRssMb = process.memoryUsage().rss / 1e6;

const runs = await Promise.all(Array.from({ length: calls }, () => start()));
const until = performance.now() + seconds * 1_000;
const cpu = process.cpuUsage();
const startedAtMs = performance.now();
await Promise.all(runs.map((run, index) => converse(run, (index * PAUSE_MS) / calls)));
const { user, system } = process.cpuUsage(cpu);
const tookMs = performance.now() - startedAtMs;
const rssMb = process.memoryUsage().rss / 1e6;

const turns = runs.flatMap(({ metrics }) => metrics);
const measure: VoiceMeasure = {
  coreShare: (user + system) / 1_000 / tookMs,
  idleRssMb,
  rssMb,
  turns: turns.length,
  response: percentiles(turns.map(({ responseMs }) => responseMs)),
  platform: percentiles(
    turns.map((turn) => turn.responseMs - (turn.endpointingMs ?? 0) - (turn.recognitionMs ?? 0)),
  ),
  skippedTicks: lineClock.skippedTicks,
  failures: runs.reduce((sum, { failures }) => sum + failures.length, 0),
};
await Promise.all(runs.map((run) => run.close()));
process.send?.(measure, () => process.exit(0));

function start(): Promise<VoiceSessionRun> {
  const chatModel = new ScriptedChatModel(() => ({ text: ANSWER }));
  return VoiceSessionRun.start({ chatModel, voice: { noiseCancellation } });
}

async function converse(run: VoiceSessionRun, delayMs: number): Promise<void> {
  await sleep(delayMs);
  while (performance.now() < until) {
    run.speech.stt.expect(QUESTION);
    await run.line.speak(question);
    await sleep(PAUSE_MS);
    // The sound is not needed, and it would count as memory of the calls.
    run.line.sent.length = 0;
  }
}

function percentiles(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? NaN);
  return { p50: at(0.5), p95: at(0.95) };
}
