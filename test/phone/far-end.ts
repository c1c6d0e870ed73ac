// Run by `npm run demo -- --sip`: the operator behind a SIP trunk, until its input ends. It prints what it is and its port in one line
// of JSON, and in the end the numbers that were called.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingCall } from '@prosa/sip';
import { SipOperator } from '@prosa/sip/testing';
import { SippOperator } from './software/sipp-operator.js';

const RTP_FROM = 28_400;
/** Who answers hangs up after so long, as with sipp. */
const TALK_MS = 3_000;

interface FarEnd {
  readonly kind: 'sipp' | 'own';
  readonly port: number;
  /** Numbers, in the order of their calls. */
  called(): readonly string[];
  stop(): Promise<void>;
}

function sipp(): FarEnd {
  const operator = SippOperator.start();
  return { kind: 'sipp', port: operator.port, called: () => operator.rung, stop: () => operator.stop() };
}

async function own(): Promise<FarEnd> {
  const operator = await SipOperator.open(RTP_FROM);
  const hangUpLater = (call: IncomingCall) => {
    call.once('answered', () => setTimeout(() => call.hangUp(), TALK_MS).unref());
  };
  operator.agent.on('call', hangUpLater);
  // Known by its address: the platform may listen at any port.
  operator.connect(5_060);
  return { kind: 'own', port: operator.port, called: () => operator.dialled, stop: () => operator.close() };
}

const farEnd = spawnSync('which', ['sipp']).status === 0 ? sipp() : await own();
process.stdout.write(`${JSON.stringify({ kind: farEnd.kind, port: farEnd.port })}\n`);
process.stdin.resume();
await once(process.stdin, 'end');
const called = farEnd.called();
await farEnd.stop();
process.stdout.write(`${JSON.stringify(called)}\n`);
process.exit(0);
