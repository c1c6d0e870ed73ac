/**
 * How fast people take calls over, and what listening costs: `npm run bench -- desk [--presses 20] [--listeners 10]
 * [--seconds 20]`, on the built product, in Chromium (`CHROMIUM_PATH`).
 *
 * A person with the console open presses the key that takes a call over, while its assistant speaks; their microphone hears a
 * tone. At the customer's end of web calls and of telephone calls over SIP it measures how long the assistant is still heard, and
 * when the tone is heard first. Then it compares the processor time of silent calls with and without
 * listeners. Goals at the 95th percentile: silent within 300 ms, heard within 500 ms; 0.5 % of a core a listener.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { until } from '../test/support/until.js';
import type { OpenedWebCall } from '../test/support/web-caller.js';
import { BrowserDesk, type Press } from './desk/browser-desk.js';
import { HeardCall } from './desk/heard-call.js';
import { callsFor, listenerCost } from './desk/listener-cost.js';
import { Telephone, telephoneSettings } from './desk/telephone.js';
import { percentile } from './support/http-load.js';
import { ProsaProcess } from './support/prosa-process.js';

const MOST_TRIES = 20;
const ANSWER_MS = 60_000;
const ASSISTANT = {
  initial_message: 'Olá!',
  max_duration: 1_200,
  max_silence_duration: 360,
  reengagement_interval: 600,
};

interface RunningCall {
  readonly id: number;
  readonly heard: HeardCall;
}
type Line = readonly [name: string, begin: () => Promise<RunningCall>];

const { values } = parseArgs({
  options: {
    presses: { type: 'string', default: '20' },
    listeners: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '20' },
  },
});

const sip = await telephoneSettings();
const prosa = await ProsaProcess.start({
  PROSA_ROLES: 'api,worker,voice',
  EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  ...sip,
});
try {
  const telephone = await Telephone.connect(prosa, Number(sip.SIP_LISTEN.split(':')[1]), ASSISTANT);
  const lines: readonly Line[] = [
    ['web call', webCalls(await prosa.createAssistant(ASSISTANT))],
    ['SIP', () => sipCall(telephone)],
  ];
  await pressAll(lines);
  await listenToAll(lines);
  const load = loadavg().map((average) => average.toFixed(1));
  console.log(`Load of the machine with ${cpus().length} cores: ${load.join(', ')} (1, 5 and 15 minutes)`);
  await telephone.close();
} finally {
  await prosa.stop();
}
process.exit(0);

async function pressAll(lines: readonly Line[]): Promise<void> {
  const desk = await BrowserDesk.open(prosa);
  const rows = [];
  for (const [line, begin] of lines) {
    const presses: Press[] = [];
    // The first press loads what all others share.
    for (let press = -1; press < Number(values.presses); press++) {
      const { id, heard } = await begin();
      const measured = await desk.takeOver(id, heard);
      if (press >= 0) presses.push(measured);
      heard.hangUp();
    }
    const of = (what: keyof Press) => presses.map((press) => press[what]);
    rows.push({
      line,
      presses: presses.length,
      'silent after ms p50/p95/max': summaryOf(of('silenceMs')),
      'heard after ms p50/p95/max': summaryOf(of('voiceMs')),
    });
  }
  await desk.close();
  console.table(rows);
}

async function listenToAll(lines: readonly Line[]): Promise<void> {
  const listeners = Number(values.listeners);
  const rows = [];
  for (const [line, begin] of lines) {
    const calls: RunningCall[] = [];
    for (let call = 0; call < callsFor(listeners); call++) calls.push(await begin());
    await until(() => calls.every(({ heard }) => heard.silentMs > 3_000), 180_000);
    const ids = calls.map(({ id }) => id);
    const cost = await listenerCost(prosa, ids, listeners, Number(values.seconds));
    rows.push({
      line,
      calls: cost.calls,
      listeners,
      'core % without': percent(cost.coreShareWithout),
      'core % with': percent(cost.coreShareWith),
      'core % a listener': percent((cost.coreShareWith - cost.coreShareWithout) / listeners, 2),
    });
    for (const { heard } of calls) heard.hangUp();
  }
  console.table(rows);
}

function webCalls(assistantId: number): Line[1] {
  return async () => {
    const open = () => prosa.post<{ data: OpenedWebCall }>(`/api/user/assistant/${assistantId}/web-call`, {});
    const { data } = await attempt(open);
    return answered({ id: data.call_id, heard: await HeardCall.web(data) });
  };
}

async function sipCall(telephone: Telephone): Promise<RunningCall> {
  const heard = await HeardCall.sip(await telephone.call());
  const { data } = await prosa.get<{ data: { id: number }[] }>('/api/user/calls?live=true&per_page=1');
  return answered({ id: data[0]?.id ?? 0, heard });
}

/** The voice of the sandbox takes a moment at first. */
async function answered(call: RunningCall): Promise<RunningCall> {
  await until(() => call.heard.assistantHeardMs > 0, ANSWER_MS);
  return call;
}

async function attempt<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await action();
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

function summaryOf(times: readonly number[]): string {
  return [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)].map(Math.round).join(' / ');
}

function percent(share: number, digits = 1): string {
  return (share * 100).toFixed(digits);
}
