import { setTimeout as sleep } from 'node:timers/promises';
import { loudestOf } from '@prosa/testing';
import { until } from '../../support/until.js';
import { check, equal, type PhoneRow } from '../row.js';
import { Baresip } from '../software/baresip.js';
import type { Prosa, Trunk } from '../software/prosa.js';
import type { SharedProduct } from '../software/shared-product.js';
import { receive, request, respondInDialog, scenario, Sipp, SIPP_PORT } from '../software/sipp.js';
import {
  ask,
  callIn,
  GREETING,
  type Harness,
  withHarness,
  said,
  THIRD_PARTY,
  WAIT_MS,
} from './product-rows.js';

const HOLD_MESSAGE = 'Um momento, vou chamar alguém.';
const CONNECTED = 'Pronto, pode falar.';
const CUSTOMER_PITCH = 700;
const SUPERVISOR_PITCH = 1_150;
const CLEARLY = 0.08;
const RECORDED_MS = 1_500;

/** A customer at one baresip, and a second one whom they are transferred to, on a trunk of its own. */
interface ThreeParties extends Harness {
  readonly supervisor: Baresip;
  readonly supervisorTrunk: Trunk;
}

/** Transfers whose sound goes through the product: three parties, of whom two are software of others. */
export function transferRows(product: SharedProduct): PhoneRow[] {
  return [
    row('warm transfer: taken by key 1, both are heard and recorded', product, warmTaken),
    row('warm transfer: declined by key 2, the assistant talks on', product, warmDeclined),
    row('warm transfer: the supervisor does not answer', product, warmUnanswered, 'manual'),
    row('warm transfer: the customer hangs up in mid-briefing', product, customerLeaves),
    {
      title: 'product, sipp udp: cold transfer where REFER is answered with 405: bridged to baresip',
      needs: 'sipp',
      run: () => referRefused(product),
    },
  ];
}

function row(
  title: string,
  product: SharedProduct,
  scene: (parties: ThreeParties) => Promise<string>,
  answers: 'auto' | 'manual' = 'auto',
): PhoneRow {
  return {
    title: `product, baresip udp: ${title}`,
    needs: 'baresip',
    run: () =>
      withHarness(product, 'udp', async (harness) => {
        const supervisor = await Baresip.startOtherTelephone([THIRD_PARTY], answers);
        try {
          const supervisorTrunk = await harness.prosa.addTrunk(supervisor.sipPort);
          return await scene({ ...harness, supervisor, supervisorTrunk });
        } finally {
          await supervisor.stop();
        }
      }),
  };
}

/** A customer who has asked to be transferred: by keys, which a busy machine does not tear. */
async function askForSupervisor({
  prosa,
  baresip,
  trunk,
  uri,
  supervisorTrunk,
}: ThreeParties): Promise<number> {
  const warm = {
    type: 'warm_call_transfer',
    supervisor_phone: `+${THIRD_PARTY}`,
    outbound_phone_id: supervisorTrunk.id,
    description: 'Keypad',
    hold_message: HOLD_MESSAGE,
    connected_message: CONNECTED,
  };
  const id = await callIn(prosa, baresip, trunk, uri, {
    record: true,
    tools: [{ type: 'collect_keypad' }, warm],
  });
  await said(prosa, id, 'assistant', GREETING, WAIT_MS);
  for (const key of '42#') baresip.command('sndcode', key);
  return id;
}

async function warmTaken(parties: ThreeParties): Promise<string> {
  const { prosa, baresip, supervisor } = parties;
  const id = await askForSupervisor(parties);
  await supervisor.event('CALL_ESTABLISHED', WAIT_MS);
  await supervisor.ear().heardSpeech();
  supervisor.command('sndcode', '1');
  await said(prosa, id, 'assistant', CONNECTED, WAIT_MS);
  baresip.hum(CUSTOMER_PITCH);
  supervisor.hum(SUPERVISOR_PITCH);
  await supervisor.ear().heardTone(CUSTOMER_PITCH);
  await baresip.ear().heardTone(SUPERVISOR_PITCH);
  // Both are heard at once on a machine with time: the recording is to have enough of them to be measured.
  await sleep(RECORDED_MS);
  supervisor.command('hangup');
  await baresip.event('CALL_CLOSED', WAIT_MS);
  equal((await prosa.finished(id)).status, 'completed', 'status');
  const { customer, assistant: other } = await prosa.recording(id);
  const left = [loudestOf(CUSTOMER_PITCH, customer, 8_000), loudestOf(SUPERVISOR_PITCH, customer, 8_000)];
  const right = [loudestOf(SUPERVISOR_PITCH, other, 8_000), loudestOf(CUSTOMER_PITCH, other, 8_000)];
  const levels = `left ${left.map(fixed).join('/')}, right ${right.map(fixed).join('/')}`;
  check(left[0]! > CLEARLY && right[0]! > CLEARLY, `not heard in the recording: ${levels}`);
  check(left[1]! < left[0]! / 3 && right[1]! < right[0]! / 3, `sides are mixed in the recording: ${levels}`);
  return levels;
}

async function warmDeclined(parties: ThreeParties): Promise<string> {
  const { prosa, baresip, supervisor } = parties;
  const id = await askForSupervisor(parties);
  await supervisor.event('CALL_ESTABLISHED', WAIT_MS);
  await supervisor.ear().heardSpeech();
  supervisor.command('sndcode', '2');
  await supervisor.event('CALL_CLOSED', WAIT_MS);
  const words = await toldWhy(prosa, id, 'declined');
  await ask(prosa, baresip, id);
  const { turns } = await prosa.call(id);
  check(
    turns.every(({ text }) => text !== CONNECTED),
    'the customer hears that the call is connected',
  );
  baresip.command('hangup');
  equal((await prosa.finished(id)).status, 'completed', 'status');
  return words;
}

async function warmUnanswered(parties: ThreeParties): Promise<string> {
  const { prosa, baresip, supervisor } = parties;
  const id = await askForSupervisor(parties);
  await supervisor.event('CALL_INCOMING', WAIT_MS);
  const rangAtMs = performance.now();
  await supervisor.event('CALL_CLOSED', WAIT_MS);
  const rangMs = performance.now() - rangAtMs;
  check(rangMs > 20_000 && rangMs < 40_000, `it rang for ${Math.round(rangMs)} ms`);
  await toldWhy(prosa, id, 'no-answer');
  baresip.command('hangup');
  equal((await prosa.finished(id)).status, 'completed', 'status');
  return `rang ${Math.round(rangMs / 1_000)} s`;
}

async function customerLeaves(parties: ThreeParties): Promise<string> {
  const { prosa, baresip, supervisor } = parties;
  const id = await askForSupervisor(parties);
  await supervisor.event('CALL_ESTABLISHED', WAIT_MS);
  baresip.command('hangup');
  const leftAtMs = performance.now();
  await supervisor.event('CALL_CLOSED', WAIT_MS);
  const afterMs = Math.round(performance.now() - leftAtMs);
  equal((await prosa.finished(id)).status, 'completed', 'status');
  return `supervisor freed after ${afterMs} ms`;
}

const TAG = '<ereg regexp=";tag=[^;&gt; ]*" search_in="hdr" header="To:" check_it="true" assign_to="3"/>';
const TO = '<sip:prosa@[remote_ip]:[remote_port]>';

/** The customer at an operator that does not transfer; keys go by INFO. */
const REFUSES_REFER = scenario(
  request('INVITE', 1, TO, '', true),
  receive('response="100"', 'optional="true"'),
  receive('response="180"', 'optional="true"'),
  receive('response="200"', '', TAG),
  request('ACK', 1, `${TO}[$3]`),
  '<pause milliseconds="12000"/>',
  ...['4', '#'].flatMap((key, index) => [
    request(
      'INFO',
      2 + index,
      `${TO}[$3]`,
      'Content-Type: application/dtmf-relay',
      false,
      `Signal=${key}\nDuration=160`,
    ),
    receive('response="200"'),
  ]),
  receive('request="REFER"'),
  respondInDialog('405 Method Not Allowed'),
  receive('request="BYE"'),
  respondInDialog('200 OK'),
  '<Reference variables="3"/>',
);

async function referRefused(product: SharedProduct): Promise<string> {
  const prosa = await product.get();
  const supervisor = await Baresip.startOtherTelephone([THIRD_PARTY]);
  try {
    // Calls out go to baresip; the trunk trusts the whole of loopback, so sipp may call in.
    const trunk = await prosa.addTrunk(supervisor.sipPort);
    const transfer = { type: 'call_transfer', phone_number: `+${THIRD_PARTY}`, description: 'Keypad' };
    await prosa.addAssistant(trunk, 'inbound', { tools: [{ type: 'collect_keypad' }, transfer] });
    const number = trunk.number.slice(1);
    const xml = REFUSES_REFER.replaceAll('sip:prosa@', `sip:${number}@`);
    const far = Sipp.calling(xml, prosa.sipPort, ['-m', '1'], SIPP_PORT);
    try {
      await supervisor.event('CALL_ESTABLISHED', WAIT_MS);
      const [call] = await prosa.calls();
      supervisor.command('hangup');
      const { exitCode, output } = await far.result(30_000);
      equal(exitCode, 0, `sipp's exit code (${output})`);
      equal((await prosa.finished(call!.id)).status, 'completed', 'status');
      return '';
    } finally {
      await far.stop();
    }
  } finally {
    await supervisor.stop();
  }
}

async function toldWhy(prosa: Prosa, id: number, reason: string): Promise<string> {
  const words = async () =>
    (await prosa.call(id)).turns.find(({ role, text }) => role === 'assistant' && text.includes(reason))
      ?.text;
  await until(async () => (await words()) !== undefined, WAIT_MS).catch(async () => {
    throw new Error(
      `the customer does not hear "${reason}": ${JSON.stringify((await prosa.call(id)).turns)}`,
    );
  });
  return (await words()) ?? '';
}

function fixed(strength: number): string {
  return strength.toFixed(2);
}
