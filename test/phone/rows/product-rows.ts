import { until } from '../../support/until.js';
import { check, equal, type PhoneRow } from '../row.js';
import { Baresip } from '../software/baresip.js';
import type { Prosa, Trunk } from '../software/prosa.js';
import type { SharedProduct } from '../software/shared-product.js';

const CUSTOMER = '5511987650000';
const GREETING = 'Olá! Como posso ajudar?';
/** A line that the sandbox's ears know. */
const QUESTION = 'Qual é o horário de atendimento?';
const THIRD_PARTY = '5511987650099';
const WAIT_MS = 60_000;

type Protocol = 'udp' | 'tcp' | 'tls';

interface Ground {
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
    row(`${protocol}: call out: greeting, question, answer, keys`, product, protocol, talkOut),
  ]);
  return [
    ...talks,
    row('udp: held by the far end, and talks on afterwards', product, 'udp', heldByFarEnd),
    row('udp: cold transfer to a third party', product, 'udp', coldTransfer),
  ];
}

function row(
  title: string,
  product: SharedProduct,
  protocol: Protocol,
  scene: (ground: Ground) => Promise<string>,
): PhoneRow {
  return {
    title: `product, baresip ${title}`,
    needs: 'baresip',
    run: () => onGround(product, protocol, scene),
  };
}

async function onGround(
  product: SharedProduct,
  protocol: Protocol,
  scene: (ground: Ground) => Promise<string>,
): Promise<string> {
  const prosa = await product.get();
  const baresip = await Baresip.startTelephone([CUSTOMER, THIRD_PARTY]);
  try {
    const trunk = await prosa.addTrunk(protocol === 'tls' ? baresip.tlsPort : baresip.sipPort, protocol);
    const port = protocol === 'tls' ? prosa.tlsPort : prosa.sipPort;
    const uri = `sip:${trunk.number}@127.0.0.1:${port};transport=${protocol}`;
    return await scene({ prosa, baresip, trunk, uri });
  } finally {
    await baresip.stop();
  }
}

async function talkIn({ prosa, baresip, trunk, uri }: Ground): Promise<string> {
  await prosa.addAssistant(trunk, 'inbound', { tools: [{ type: 'collect_keypad' }] });
  baresip.command('dial', uri);
  await baresip.event('CALL_ESTABLISHED', WAIT_MS);
  const id = (await prosa.calls())[0]!.id;
  await converse(prosa, baresip, id);
  for (const key of '42#') baresip.command('sndcode', key);
  await saysAndHears(prosa, id, 'Customer', '[Keypad: 42]');
  baresip.command('hangup');
  const call = await prosa.finished(id);
  equal([call.status, call.type], ['completed', 'inbound'], 'call');
  equal(call.client_phone_number, `+${CUSTOMER}`, 'caller');
  return `${call.turns.length} turns`;
}

async function talkOut({ prosa, baresip, trunk }: Ground): Promise<string> {
  const assistant = await prosa.addAssistant(trunk, 'outbound', {
    tools: [{ type: 'collect_keypad' }, { type: 'dtmf_input', description: 'Tecla 7' }],
  });
  const id = await prosa.makeCall(assistant, `+${CUSTOMER}`);
  await baresip.event('CALL_ESTABLISHED', WAIT_MS);
  await converse(prosa, baresip, id);
  for (const key of '42#') baresip.command('sndcode', key);
  await saysAndHears(prosa, id, 'Customer', '[Keypad: 42]');
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
  await saysAndHears(prosa, id, 'AI', GREETING);
  await baresip.say(QUESTION);
  await saysAndHears(prosa, id, 'Customer', QUESTION);
  await ear.heardSpeech();
}

async function saysAndHears(prosa: Prosa, id: number, who: 'AI' | 'Customer', words: string): Promise<void> {
  const turns = async () => (await prosa.call(id)).turns;
  const role = who === 'AI' ? 'assistant' : 'customer';
  await until(
    async () => (await turns()).some((turn) => turn.role === role && turn.text === words),
    WAIT_MS,
  ).catch(async () => {
    throw new Error(
      `"${words}" is not among ${JSON.stringify((await turns()).map(({ role: of, text }) => [of, text]))}`,
    );
  });
}

async function heldByFarEnd({ prosa, baresip, trunk, uri }: Ground): Promise<string> {
  await prosa.addAssistant(trunk, 'inbound');
  baresip.command('dial', uri);
  await baresip.event('CALL_ESTABLISHED', WAIT_MS);
  const id = (await prosa.calls())[0]!.id;
  await baresip.ear().heardSpeech();
  baresip.command('hold');
  await until(() => true);
  baresip.command('resume');
  const ear = baresip.ear();
  await baresip.say(QUESTION);
  await saysAndHears(prosa, id, 'Customer', QUESTION);
  await ear.heardSpeech();
  baresip.command('hangup');
  equal((await prosa.finished(id)).status, 'completed', 'status');
  return '';
}

async function coldTransfer({ prosa, baresip, trunk, uri }: Ground): Promise<string> {
  await prosa.addAssistant(trunk, 'inbound', {
    tools: [
      { type: 'call_transfer', phone_number: `+${THIRD_PARTY}`, description: 'Falar com um atendente' },
    ],
  });
  baresip.command('dial', uri);
  await baresip.event('CALL_ESTABLISHED', WAIT_MS);
  const id = (await prosa.calls())[0]!.id;
  await baresip.ear().heardSpeech();
  await baresip.say('Quero falar com um atendente.');
  const call = await prosa.finished(id);
  check(true, '');
  return JSON.stringify(call.turns);
}
