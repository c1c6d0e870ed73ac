import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { SystemClock } from '../../../common/time/clock.js';
import { describeCallCarrierConformance } from '#test/conformance/call-carrier.conformance.js';
import { SandboxCallCarrier } from './sandbox-call-carrier.js';
import { SandboxCarrierClient } from './sandbox-carrier-client.js';
import { SandboxCarrierServer } from './sandbox-carrier-server.js';
import { MemoryJournal } from './sandbox-journal.js';
import { personaOf, type SandboxPersona } from './sandbox-persona.js';

const SPEED = 20;

/** People with patience, because the machine that runs the tests may be slow. */
function persona(e164: string, dial: number): SandboxPersona {
  return { ...personaOf(e164, dial), nudge: null };
}

const numbers = {
  from: '+12125550100',
  human: '+5511987654300',
  busy: '+5511987654301',
  noAnswer: '+5511987654302',
  machine: '+5511987654303',
  failing: '+5511987654304',
  invalid: '+123',
};

const inProcess = new SandboxCallCarrier({
  clock: new SystemClock(SPEED),
  journal: new MemoryJournal(),
  persona,
});

describeCallCarrierConformance('The sandbox inside a process', {
  carrier: () => inProcess,
  numbers,
  callIn: async (from, to) => inProcess.callIn(from, to),
});

let folder = '';
let server: SandboxCarrierServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prosa-carrier-'));
  server = await SandboxCarrierServer.start({
    port: 0,
    journalPath: join(folder, 'calls.jsonl'),
    speed: SPEED,
    persona,
  });
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

describeCallCarrierConformance('The sandbox in a process of its own', {
  carrier: () => new SandboxCarrierClient(server.url, SPEED),
  otherProcess: () => new SandboxCarrierClient(server.url, SPEED),
  numbers,
  callIn: async (from, to) => {
    const response = await fetch(`${server.url}/inbound`, {
      method: 'POST',
      body: JSON.stringify({ from, to }),
    });
    const { callId } = (await response.json()) as { callId: string };
    return callId;
  },
});
