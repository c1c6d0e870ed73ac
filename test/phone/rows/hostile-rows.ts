import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallAudio, FRAME_MS } from '@prosa/audio';
import { type SipCall, type AudioCodec, factsOf, UserAgent, type UserAgentOptions } from '@prosa/sip';
import {
  listen,
  loopbackTrunk,
  nextCall,
  nextEvent,
  openScriptedPeer,
  playTone,
  toneShare,
  mutate,
  seededRandom,
  TORTURE,
} from '@prosa/sip/testing';
import { until } from '../../support/until.js';
import { tone } from '@prosa/testing';
import { check, equal, type PhoneRow } from '../row.js';

const MUTATED = 100_000;
const FLOOD = 30_000;
const LOAD_CALLS = 100;
const LOAD_SECONDS = 10;
/** What most calls have, and what costs most. */
const LOAD_CODECS: readonly (readonly [string, AudioCodec])[] = [
  ['G.711', 'PCMU'],
  ['G.722', 'G722'],
];
const CALL = { to: '5511', from: '5522', ringingTimeoutMs: 10_000 };
const TONE = 500;

interface Harness {
  /** Who is attacked. */
  readonly target: UserAgent;
  readonly port: number;
  readonly rtpPort: number;
  /** What the attacked side hears of the call that is up during the attack. */
  readonly heard: CallAudio;
  readonly call: SipCall;
}

/** Attacks on a user agent that has a call with another one; the call must stay up. */
export function hostileRows(): PhoneRow[] {
  const rows: readonly (readonly [
    string,
    Partial<UserAgentOptions>,
    (harness: Harness) => Promise<string>,
  ])[] = [
    [
      `${MUTATED.toLocaleString('en')} mutated packets from a trunk's own address`,
      WITHOUT_LIMITS,
      mutatedPackets,
    ],
    ['INVITE and REGISTER floods from 200 addresses', {}, floods],
    ['packets of a stranger among the call’s RTP, and an RTP flood', {}, rtpAttacks],
    ['streams that never finish a message', {}, slowStreams],
  ];
  return [
    ...rows.map(([title, options, attack]) => ({
      title: `hostile: ${title}`,
      needs: null,
      isLong: true,
      run: () => underAttack(options, attack),
    })),
    ...LOAD_CODECS.map(([name, codec]) => ({
      title: `load: ${LOAD_CALLS} calls at once in ${name}, sound both ways`,
      needs: null,
      isLong: true,
      run: () => load(codec),
    })),
    { title: 'load: sound with 5 % of the packets lost', needs: null, isLong: true, run: lossyMedia },
  ];
}

/** How much the tone is of the second half of the next second. */
async function heardTone(audio: CallAudio): Promise<number> {
  const { sampleRateHz } = audio;
  return toneShare((await listen(audio, 50)).subarray(-sampleRateHz / 2), TONE, sampleRateHz);
}

/** So that every packet reaches the parser. */
const WITHOUT_LIMITS: Partial<UserAgentOptions> = {
  listen: {
    host: '127.0.0.1',
    port: 0,
    sourceLimits: {
      stranger: { perSecond: 1e9, burst: 1e9 },
      strangers: { perSecond: 1e9, burst: 1e9 },
      known: { perSecond: 1e9, burst: 1e9 },
      sources: 1_000,
    },
  },
};

function openAgent(rtpFrom: number, options: Partial<UserAgentOptions> = {}): Promise<UserAgent> {
  return UserAgent.open({
    listen: { host: '127.0.0.1', port: 0 },
    rtpPorts: { from: rtpFrom, to: rtpFrom + 398 },
    realm: 'prosa.test',
    keepAliveMs: 0,
    ...options,
  });
}

async function underAttack(
  options: Partial<UserAgentOptions>,
  attack: (harness: Harness) => Promise<string>,
): Promise<string> {
  const thrown: unknown[] = [];
  const note = (error: unknown) => thrown.push(error);
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
  const target = await openAgent(28_000, options);
  const friend = await openAgent(28_400);
  try {
    const port = target.transport.localPort('udp');
    target.addTrunk(loopbackTrunk(friend.transport.localPort('udp')));
    friend.addTrunk(loopbackTrunk(port));
    const offered = nextCall(target);
    const caller = friend.call('trunk', CALL)!;
    const called = await offered;
    await called.accept();
    if (caller.state !== 'up') await nextEvent(caller, 'answered');
    const stop = playTone(caller.openAudio()!, TONE);
    // What comes in during the attack is turned away.
    target.on('call', (call) => call.reject(486));
    const rssBefore = process.memoryUsage().rss;
    const rtpPort = called.media!.rtp.localPort;
    const detail = await attack({ target, port, rtpPort, heard: called.openAudio()!, call: called });
    const share = await heardTone(called.openAudio()!);
    stop();
    check(called.state === 'up' && share > 0.7, `the call is ${called.state}, its tone ${share.toFixed(2)}`);
    equal(thrown.map(String), [], 'uncaught errors');
    const grownMb = (process.memoryUsage().rss - rssBefore) / 2 ** 20;
    check(grownMb < 250, `memory grew by ${grownMb.toFixed(0)} MB`);
    return `${detail}; memory +${grownMb.toFixed(0)} MB`;
  } finally {
    process.off('uncaughtException', note);
    process.off('unhandledRejection', note);
    await friend.close();
    await target.close();
  }
}

const METHODS = [
  'INVITE',
  'OPTIONS',
  'BYE',
  'CANCEL',
  'ACK',
  'REFER',
  'NOTIFY',
  'UPDATE',
  'REGISTER',
  'PRACK',
  'INFO',
  'FOO',
];

const BODY =
  'v=0\r\no=s 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 0 101\r\na=rtpmap:101 telephone-event/8000\r\n';

/** A request that is in order, of whatever method; some of them within the dialog of the running call. */
function requestText(method: string, id: number, from: string, dialog = ''): string {
  const body = method === 'INVITE' || method === 'UPDATE' ? BODY : '';
  return [
    `${method} sip:prosa@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/UDP ${from};branch=z9hG4bK${id};rport`,
    `From: "A, \\"b\\"" <sip:f@127.0.0.1>;tag=f${id}`,
    `To: <sip:prosa@127.0.0.1>${dialog}`,
    `Call-ID: ${id}@hostile`,
    `CSeq: 1 ${method}`,
    'Max-Forwards: 70',
    `Contact: <sip:f@${from}>`,
    'Supported: timer, 100rel',
    'Session-Expires: 1800;refresher=uac',
    'Refer-To: <sip:x@127.0.0.1>',
    'RAck: 1 1 INVITE',
    'Content-Type: application/sdp',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

async function mutatedPackets({ target, port }: Harness): Promise<string> {
  const random = seededRandom(100_000);
  const socket = await openSocket('127.0.0.1');
  const from = `127.0.0.1:${socket.address().port}`;
  const torture = TORTURE.map(({ text }) => Buffer.from(text, 'latin1'));
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  for (let count = 0; count < MUTATED; count++) {
    const method = METHODS[count % METHODS.length]!;
    const whole =
      count % 7 === 0
        ? torture[count % torture.length]!
        : Buffer.from(requestText(method, count, from), 'latin1');
    socket.send(mutate(whole, random), port, '127.0.0.1');
    if (count % 40 === 0) await sleep(1);
  }
  await sleep(500);
  socket.close();
  const { counts } = target.transport;
  check(counts.received > MUTATED * 0.8, `only ${counts.received} packets arrived`);
  const used = process.cpuUsage(cpu);
  return `${counts.received} read, ${counts.malformed} malformed, ${((used.user + used.system) / 1_000_000).toFixed(1)} s CPU of ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
}

/** Loopback has 16 million addresses, so that each sender is a stranger of its own. */
async function floods({ target, port }: Harness): Promise<string> {
  const sockets = await Promise.all(
    Array.from({ length: 200 }, (_, index) => openSocket(`127.7.${index}.1`)),
  );
  const before = { ...target.transport.counts };
  for (let count = 0; count < FLOOD; count++) {
    const method = count % 3 === 0 ? 'REGISTER' : 'INVITE';
    const socket = sockets[count % sockets.length]!;
    const from = `${socket.address().address}:${socket.address().port}`;
    socket.send(requestText(method, count, from), port, '127.0.0.1');
    if (count % 100 === 0) await sleep(2);
  }
  await sleep(200);
  const { clients, servers } = target.transactions.size;
  check(clients + servers <= 4, `${clients + servers} transactions are kept`);
  equal(target.callCount, 1, 'calls');
  sockets.forEach((socket) => socket.close());
  const limited = target.transport.counts.limited - before.limited;
  return `${limited} of ${target.transport.counts.received - before.received} dropped unread, ${servers} transactions kept`;
}

async function rtpAttacks({ rtpPort, heard, call }: Harness): Promise<string> {
  const stranger = await openSocket('127.9.9.9');
  const loud = Buffer.alloc(172, 0x80);
  loud.writeUInt8(0x80, 0);
  loud.writeUInt8(0, 1);
  const listening = heardTone(heard);
  for (let count = 0; count < 20_000; count++) {
    loud.writeUInt16BE(count & 0xffff, 2);
    loud.writeUInt32BE((count * 160) >>> 0, 4);
    stranger.send(loud, rtpPort, '127.0.0.1');
    if (count % 200 === 0) await sleep(5);
  }
  const share = await listening;
  stranger.close();
  check(share > 0.7, `the call's own tone is ${share.toFixed(2)} of what is heard`);
  const { refused } = call.media!.rtp.receiver.counts;
  check(refused > 5_000, `only ${refused} packets were refused`);
  return `${refused} packets refused, tone ${(share * 100).toFixed(0)} %`;
}

async function slowStreams({ target }: Harness): Promise<string> {
  const port = target.transport.localPort('tcp');
  const streams = Array.from({ length: 120 }, () => connect(port, '127.0.0.1'));
  let closed = 0;
  for (const stream of streams) {
    stream.on('error', () => {});
    stream.on('close', () => closed++);
    stream.write(`INVITE sip:a SIP/2.0\r\nVia: ${'x'.repeat(2_000)}`);
  }
  const endless = connect(port, '127.0.0.1');
  endless.on('error', () => {});
  for (let count = 0; count < 100 && !endless.destroyed; count++) {
    endless.write('y'.repeat(1_000));
    await sleep(2);
  }
  await sleep(300);
  check(closed >= 70, `only ${closed} of 120 streams of one address were closed`);
  streams.forEach((stream) => stream.destroy());
  endless.destroy();
  return `${closed} of 120 streams of one address refused`;
}

async function load(codec: AudioCodec): Promise<string> {
  const codecs = [codec];
  const called = await openAgent(28_000, { mostCalls: 200, codecs });
  const caller = await openAgent(28_400, { codecs });
  const pitch = tone(TONE, factsOf(codec).sampleRateHz, FRAME_MS, 0.3);
  try {
    called.addTrunk(loopbackTrunk(caller.transport.localPort('udp')));
    caller.addTrunk(loopbackTrunk(called.transport.localPort('udp')));
    const legs: SipCall[] = [];
    called.on('call', (call) => {
      legs.push(call);
      void call.accept();
    });
    const cpuBefore = process.cpuUsage();
    const calls = Array.from({ length: LOAD_CALLS }, () => caller.call('trunk', CALL)!);
    await Promise.all(calls.map((call) => nextEvent(call, 'answered', 20_000)));
    const setup = process.cpuUsage(cpuBefore);
    legs.push(...calls);
    await until(() => legs.every(({ state }) => state === 'up'), 20_000);
    const media = legs.map((leg) => leg.media!);
    const agreed = media.filter(({ negotiation }) => negotiation.negotiated?.codec === codec);
    equal(agreed.length, LOAD_CALLS * 2, `legs in ${codec}`);
    const pace = setInterval(() => media.forEach(({ rtp }) => rtp.sender.send(pitch)), FRAME_MS);
    const accepted = () => media.reduce((sum, { rtp }) => sum + rtp.receiver.counts.accepted, 0);
    const before = accepted();
    const cpu = process.cpuUsage();
    await sleep(LOAD_SECONDS * 1_000);
    const used = process.cpuUsage(cpu);
    clearInterval(pace);
    const packets = accepted() - before;
    const expected = (LOAD_CALLS * 2 * LOAD_SECONDS * 1_000) / FRAME_MS;
    check(packets > expected * 0.9, `${packets} of ${expected} packets came`);
    const perLeg = (used.user + used.system) / 1_000_000 / LOAD_SECONDS / (LOAD_CALLS * 2);
    const perSetup = (setup.user + setup.system) / 1_000 / (LOAD_CALLS * 2);
    return `media ${(perLeg * 100).toFixed(2)} % of a core a leg, setting up ${perSetup.toFixed(1)} ms CPU a leg, ${((packets / expected) * 100).toFixed(0)} % of packets in time`;
  } finally {
    await caller.close();
    await called.close();
  }
}

/** The description names a path that loses packets instead of the far end's own port. */
async function lossyMedia(): Promise<string> {
  const random = seededRandom(5);
  const target = await openAgent(28_000);
  const peer = await openScriptedPeer();
  const rtp = await openSocket('127.0.0.1');
  try {
    target.addTrunk(loopbackTrunk(peer.port));
    const call = target.call('trunk', CALL)!;
    const invite = await peer.next('INVITE');
    peer.answer(invite, 'lossy', rtp.address().port);
    await nextEvent(call, 'answered');
    const heard = listen(call.openAudio()!, 200);
    const payload = (frame: number) =>
      Buffer.from(
        Array.from({ length: 160 }, (_, n) =>
          ulaw(8_000 * Math.sin((2 * Math.PI * TONE * (frame * 160 + n)) / 8_000)),
        ),
      );
    let lost = 0;
    const startedAt = performance.now();
    for (let frame = 0; frame < 220; frame++) {
      while (performance.now() - startedAt < frame * 20) await sleep(4);
      if (random() < 0.05) {
        lost++;
        continue;
      }
      const header = Buffer.alloc(12);
      header.writeUInt8(0x80, 0);
      header.writeUInt16BE(frame, 2);
      header.writeUInt32BE(frame * 160, 4);
      header.writeUInt32BE(7, 8);
      rtp.send(Buffer.concat([header, payload(frame)]), call.media!.rtp.localPort, '127.0.0.1');
    }
    const share = toneShare((await heard).subarray(3_200), TONE);
    check(share > 0.93, `the tone is ${share.toFixed(2)} of what is heard`);
    return `${lost} of 220 packets lost, tone ${(share * 100).toFixed(1)} % of what is heard`;
  } finally {
    rtp.close();
    peer.close();
    await target.close();
  }
}

/** One sample in mu-law, by the textbook; ours is not its own judge. */
function ulaw(sample: number): number {
  const magnitude = Math.min(Math.round(Math.abs(sample)), 32_635) + 132;
  const exponent = Math.floor(Math.log2(magnitude)) - 7;
  const mantissa = (magnitude >> (exponent + 3)) & 15;
  return ~((sample < 0 ? 128 : 0) | (exponent << 4) | mantissa) & 255;
}

async function openSocket(address: string): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('error', () => {});
  socket.bind(0, address);
  await once(socket, 'listening');
  return socket;
}
