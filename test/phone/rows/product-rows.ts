import { setTimeout as sleep } from 'node:timers/promises';
import { loudestOf } from '@prosa/testing';
import { until } from '../../support/until.js';
import { check, equal, type PhoneRow } from '../row.js';
import { Baresip } from '../software/baresip.js';
import type { Prosa, Trunk } from '../software/prosa.js';
import { SippOperator } from '../software/sipp-operator.js';
import type { SharedProduct } from '../software/shared-product.js';

const CUSTOMER = '5511987650000';
export const GREETING = 'Olá! Como posso ajudar?';
/** A line that the sandbox's ears know. */
const QUESTION = 'Qual é o horário de atendimento?';
export const THIRD_PARTY = '5511987650099';
const WISH = 'Quero falar com um atendente.';
export const WAIT_MS = 90_000;
/** From the end of a line to its turn. */
const HEARING_MS = 30_000;
const MOST_TIMES = 3;
/** Beyond the telephone band, and how strong it is in a recording where it was heard. */
const WIDE_PITCH = 5_200;
const CLEARLY = 0.08;
const RECORDED_MS = 1_500;

/** Unanswered calls by the last digits of the number: what sipp does, and the outcome of the call. */
const REFUSALS = [
  ['01', 'busy: 486', 'busy'],
  ['08', 'declined: 603', 'busy'],
  ['02', 'rings for ever: cancelled after the ringing time', 'no-answer'],
  ['07', 'moved: 302 is not followed', 'failed'],
  ['04', 'overloaded: 503', 'failed'],
  ['09', 'silence for ever', 'no-answer'],
] as const;

/**
 * `srtp`: over TLS, with sound that both sides talk encrypted alone. `g722`, `opus`: over UDP, to a far end with no other codec.
 */
type Protocol = 'udp' | 'tcp' | 'tls' | 'srtp' | 'g722' | 'opus';

const TRANSPORTS = { udp: 'udp', tcp: 'tcp', tls: 'tls', srtp: 'tls', g722: 'udp', opus: 'udp' } as const;

export interface Harness {
  readonly prosa: Prosa;
  readonly baresip: Baresip;
  readonly trunk: Trunk;
  /** Where the number of the trunk is called. */
  readonly uri: string;
}

/** The product between its API and a telephone of others; one Prosa serves all rows. */
export function productRows(product: SharedProduct): PhoneRow[] {
  const talks = (['udp', 'tcp', 'tls'] as const).flatMap((protocol) => [
    row(`${protocol}: call in: greeting, question, answer, keys`, product, protocol, talkIn),
    row(`${protocol}: call out: greeting, question, answer, keys both ways`, product, protocol, talkOut),
  ]);
  return [
    ...talks,
    row('tls: call in, encrypted (SRTP): greeting, question, answer, keys', product, 'srtp', talkIn),
    row(
      'tls: call out, encrypted (SRTP): greeting, question, answer, keys both ways',
      product,
      'srtp',
      talkOut,
    ),
    row('udp: G.722: call in: greeting, question, answer, keys', product, 'g722', talkIn),
    row('udp: G.722: call out: greeting, question, answer, keys both ways', product, 'g722', talkOut),
    row('udp: Opus: call in: greeting, question, answer, keys', product, 'opus', talkIn),
    row('udp: G.722: the recording has what narrow band has not', product, 'g722', recordedInWideband),
    row('udp: G.722: held by the far end, and talks on afterwards', product, 'g722', heldByFarEnd),
    row('udp: held by the far end, and talks on afterwards', product, 'udp', heldByFarEnd),
    row('udp: cold transfer to a third party', product, 'udp', coldTransfer),
    ...REFUSALS.map((refusal) => refusalRow(refusal, product)),
  ];
}

interface SippGround {
  readonly prosa: Prosa;
  readonly operator: SippOperator;
  /** Calls by sipp, and lets it ring for five seconds. */
  readonly assistant: number;
}

function refusalRow([digits, title, status]: (typeof REFUSALS)[number], product: SharedProduct): PhoneRow {
  return {
    title: `product, sipp udp: call out: ${title}`,
    needs: 'sipp',
    run: async () => {
      const prosa = await product.get();
      const operator = SippOperator.start();
      try {
        const trunk = await prosa.addTrunk(operator.port);
        const assistant = await prosa.addAssistant(trunk, 'outbound', { ringing_time: 5 });
        return await refused({ prosa, operator, assistant }, digits, status);
      } finally {
        await operator.stop();
      }
    },
  };
}

function row(
  title: string,
  product: SharedProduct,
  protocol: Protocol,
  scene: (harness: Harness) => Promise<string>,
): PhoneRow {
  return {
    title: `product, baresip ${title}`,
    needs: 'baresip',
    run: () => withHarness(product, protocol, scene),
  };
}

export async function withHarness(
  product: SharedProduct,
  protocol: Protocol,
  scene: (harness: Harness) => Promise<string>,
): Promise<string> {
  const prosa = await product.get();
  const isEncrypted = protocol === 'srtp';
  const transport = TRANSPORTS[protocol];
  const baresip = await startTelephone(protocol, [CUSTOMER, THIRD_PARTY]);
  try {
    const farPort = transport === 'tls' ? baresip.tlsPort : baresip.sipPort;
    const settings = isEncrypted ? { media_encryption: 'required' } : {};
    const trunk = await prosa.addTrunk(farPort, transport, settings);
    const port = transport === 'tls' ? prosa.tlsPort : prosa.sipPort;
    const uri = `sip:${trunk.number}@127.0.0.1:${port};transport=${transport}`;
    return await scene({ prosa, baresip, trunk, uri });
  } finally {
    await baresip.stop();
  }
}

function startTelephone(protocol: Protocol, numbers: readonly string[]): Promise<Baresip> {
  if (protocol === 'srtp') return Baresip.startSecureTelephone(numbers);
  if (protocol === 'g722' || protocol === 'opus')
    return Baresip.startWidebandTelephone(numbers, protocol === 'g722' ? 'G722' : 'OPUS');
  return Baresip.startTelephone(numbers);
}

/** A call in to a new assistant, once it is answered. */
export async function callIn(
  prosa: Prosa,
  baresip: Baresip,
  trunk: Trunk,
  uri: string,
  assistant: Record<string, unknown> = {},
): Promise<number> {
  await prosa.addAssistant(trunk, 'inbound', assistant);
  baresip.command('dial', uri);
  await baresip.event('CALL_ESTABLISHED', WAIT_MS);
  return (await prosa.calls())[0]!.id;
}

async function talkIn({ prosa, baresip, trunk, uri }: Harness): Promise<string> {
  const id = await callIn(prosa, baresip, trunk, uri, { tools: [{ type: 'collect_keypad' }] });
  await converse(prosa, baresip, id);
  for (const key of '42#') baresip.command('sndcode', key);
  await said(prosa, id, 'customer', '[Keypad: 42]', WAIT_MS);
  baresip.command('hangup');
  const call = await prosa.finished(id);
  equal([call.status, call.type], ['completed', 'inbound'], 'call');
  equal(call.client_phone_number, `+${CUSTOMER}`, 'caller');
  return `${call.turns.length} turns`;
}

async function talkOut({ prosa, baresip, trunk }: Harness): Promise<string> {
  const assistant = await prosa.addAssistant(trunk, 'outbound', {
    tools: [{ type: 'collect_keypad' }, { type: 'dtmf_input', description: 'Keypad' }],
  });
  const id = await prosa.makeCall(assistant, `+${CUSTOMER}`);
  await baresip.event('CALL_ESTABLISHED', WAIT_MS);
  await converse(prosa, baresip, id);
  for (const key of '42#') baresip.command('sndcode', key);
  await said(prosa, id, 'customer', '[Keypad: 42]', WAIT_MS);
  // The assistant passes on what was pressed.
  for (const key of '42')
    equal((await baresip.event('CALL_DTMF_START', WAIT_MS)).param, key, 'key at baresip');
  await prosa.api('POST', `calls/${id}/hangup`, {});
  await baresip.event('CALL_CLOSED', WAIT_MS);
  const call = await prosa.finished(id);
  equal([call.status, call.type], ['completed', 'outbound'], 'call');
  return `${call.turns.length} turns`;
}

/** The far end hears the greeting, asks, is understood, and hears an answer. */
async function converse(prosa: Prosa, baresip: Baresip, id: number): Promise<void> {
  const ear = baresip.ear();
  await ear.heardSpeech();
  await said(prosa, id, 'assistant', GREETING, WAIT_MS);
  await ask(prosa, baresip, id);
  await ear.heardSpeech();
}

/** Says it again when it is not understood, as people do: a busy machine may tear the sound of the far end. */
export async function ask(prosa: Prosa, baresip: Baresip, id: number, words = QUESTION): Promise<void> {
  for (let time = 1; ; time++) {
    await baresip.say(words);
    try {
      return await said(prosa, id, 'customer', words, HEARING_MS);
    } catch (error) {
      if (time === MOST_TIMES) throw error;
    }
  }
}

export async function said(
  prosa: Prosa,
  id: number,
  role: 'assistant' | 'customer',
  words: string,
  timeoutMs: number,
): Promise<void> {
  const turns = async () => (await prosa.call(id)).turns;
  const isThere = async () => (await turns()).some((turn) => turn.role === role && turn.text === words);
  await until(isThere, timeoutMs).catch(async () => {
    const transcript = (await turns()).map(({ role: who, text }) => `${who}: ${text}`);
    throw new Error(`"${words}" was not heard, but ${JSON.stringify(transcript)}`);
  });
}

/** What baresip hears after its hold it does not write down, so the answer is looked for among the turns: what was heard. */
async function heldByFarEnd({ prosa, baresip, trunk, uri }: Harness): Promise<string> {
  const id = await callIn(prosa, baresip, trunk, uri);
  await baresip.ear().heardSpeech();
  for (const command of ['hold', 'resume']) {
    baresip.events.length = 0;
    baresip.command(command);
    equal((await baresip.event('CALL_REMOTE_SDP', WAIT_MS)).param, 'answer', command);
  }
  await ask(prosa, baresip, id);
  const answers = async () => (await prosa.call(id)).turns.filter(({ role }) => role === 'assistant');
  await until(async () => (await answers()).length > 1, WAIT_MS);
  baresip.command('hangup');
  equal((await prosa.finished(id)).status, 'completed', 'status');
  return '';
}

async function recordedInWideband({ prosa, baresip, trunk, uri }: Harness): Promise<string> {
  const id = await callIn(prosa, baresip, trunk, uri, { record: true });
  await baresip.ear().heardSpeech();
  baresip.hum(WIDE_PITCH);
  await sleep(RECORDED_MS);
  baresip.command('hangup');
  await prosa.finished(id);
  const { customer } = await prosa.recording(id, 16_000);
  const strength = loudestOf(WIDE_PITCH, customer, 16_000);
  check(strength > CLEARLY, `not heard in the recording: ${strength.toFixed(3)}`);
  return `${WIDE_PITCH} Hz at ${strength.toFixed(3)}`;
}

/** baresip is asked to call its second number itself, and does. */
async function coldTransfer({ prosa, baresip, trunk, uri }: Harness): Promise<string> {
  const transfer = {
    type: 'call_transfer',
    phone_number: `+${THIRD_PARTY}`,
    description: 'Falar com um atendente',
  };
  const id = await callIn(prosa, baresip, trunk, uri, { tools: [transfer] });
  await baresip.ear().heardSpeech();
  await ask(prosa, baresip, id, WISH);
  const { param = '' } = await baresip.event('TRANSFER', WAIT_MS);
  check(param.includes(THIRD_PARTY), `baresip is sent to ${param}`);
  await baresip.event('CALL_ESTABLISHED', WAIT_MS, THIRD_PARTY);
  await baresip.event('CALL_CLOSED', WAIT_MS, CUSTOMER);
  equal((await prosa.finished(id)).status, 'completed', 'status');
  return param;
}

async function refused(
  { prosa, operator, assistant }: SippGround,
  digits: string,
  status: string,
): Promise<string> {
  const to = `+5511987653${digits.padStart(3, '0')}`;
  const call = await prosa.finished(await prosa.makeCall(assistant, to));
  equal(call.status, status, 'status');
  equal(
    operator.rung.filter((number) => `+${number}` === to),
    [to.slice(1)],
    'calls that reached sipp',
  );
  return call.status;
}
