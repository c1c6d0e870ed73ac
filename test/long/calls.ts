// `npm run test:calls -- <minutes> [lanes] [sip]`: calls in sound, in ten lanes; memory and handles stay flat, no recording has a gap.
// With `sip` they are calls in and out over a SIP trunk, with telephones at its other end, else those of the sandbox.
// At the end it prints the pauses of the process that carries the calls, each with its cause (testbed/pauses.mjs).
import { existsSync, readFileSync } from 'node:fs';
import { CallLanes } from './calls/call-lanes.js';
import { SandboxPeople } from './calls/sandbox-people.js';
import { Telephones } from './calls/telephones.js';
import { comeToRest, wrongMoney } from './load/verdict.js';
import { growing, sampled } from './samples.js';
import { fail, say } from './say.js';
import { Testbed } from './testbed/testbed.js';

const REST_MS = 180_000;
const SHOWN = 40;

const numbers = process.argv.slice(2).filter((argument) => argument !== 'sip');
const isSip = numbers.length < process.argv.length - 2;
const [minutes, lanes] = [Number(numbers[0] ?? 60), Number(numbers[1] ?? 10)];

async function main(): Promise<void> {
  const environment = isSip ? Telephones.environment : {};
  const testbed = await Testbed.start({ isInSound: true, isProbed: true, environment });
  try {
    const calls = await CallLanes.prepare(testbed, (client) =>
      isSip ? Telephones.open(client, testbed) : SandboxPeople.open(client, testbed),
    );
    await calls.begin(lanes);
    const processes = [testbed.api, testbed.worker, testbed.voice].filter((each) => each !== null);
    const series = await sampled(processes, testbed.cluster, minutes * 60_000);
    await calls.end();
    const restless = await comeToRest(testbed, REST_MS);
    const lostSeconds = await soundLost(testbed);
    const broken = [
      ...growing(series, processes.length),
      ...testbed.unwantedEnds,
      ...calls.broken,
      ...(restless === null ? [] : [`no rest within ${REST_MS} ms: ${restless}`]),
      ...(await wrongMoney(testbed)),
    ];
    for (const line of pauses(testbed).slice(0, SHOWN)) say(line);
    for (const line of broken.slice(0, SHOWN)) say(line);
    const hours = Number((calls.talked / 3_600).toFixed(2));
    say(JSON.stringify({ minutes, lanes, calls: calls.calls, hours, lostSeconds, broken: broken.length }));
    if (broken.length > 0) fail('The calls failed.');
  } finally {
    await testbed.stop();
  }
}

/** Of each line, what the process of the calls gave up because something held it up. */
async function soundLost(testbed: Testbed): Promise<number> {
  const port = testbed.voice?.plan.environment.OPERATIONS_PORT;
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^prosa_voice_sound_lost_seconds_total (\S+)$/m.exec(metrics)?.[1]);
}

/** Pauses of the process of the calls, the longest first. */
function pauses(testbed: Testbed): string[] {
  const file = `${testbed.voice?.plan.environment.PROBE_FILE}.pauses`;
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const lengthOf = (line: string) => (JSON.parse(line) as { ms: number }).ms;
  return lines.sort((a, b) => lengthOf(b) - lengthOf(a));
}

if (minutes > 0 && lanes > 0) await main();
else fail('Usage: npm run test:calls -- <minutes> [lanes] [sip]');
