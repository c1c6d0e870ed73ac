import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type IncomingCall,
  type OutgoingCall,
  NARROW_CODECS,
  type SipTrunk,
  UserAgent,
  type UserAgentOptions,
} from '@prosa/sip';
import { listen, loopbackTrunk, nextCall, nextEvent, playTone, toneShare } from '@prosa/sip/testing';
import { SipTelephone } from '../../support/sip-telephone.js';
import { until } from '../../support/until.js';
import { check, equal, type PhoneRow } from '../row.js';
import { Kamailio, KAMAILIO_DOMAIN, KAMAILIO_PASSWORD } from '../software/kamailio.js';
import { KamailioProxy, OPERATOR_HOST } from '../software/kamailio-proxy.js';
import { Prosa } from '../software/prosa.js';

const PORTS = [27_640, 27_642] as const;
/** No server listens on this port. */
const ABSENT_PORT = 27_644;
const OPERATOR_PORT = 27_650;
const STRANGER_HOST = '127.0.0.3';
const CALL = { to: '551130000001', from: '5511987650000', ringingTimeoutMs: 20_000 };
/** The same in both processes. */
const CONTACT_USER = 'f00dfeedf00dfeedf00dfeedf00dfeed';
const CALLS = 12;

interface Harness {
  readonly proxy: KamailioProxy;
  /** Two processes of the installation. */
  readonly own: readonly [UserAgent, UserAgent];
  /** Calls that came in to each of them. */
  readonly taken: readonly [IncomingCall[], IncomingCall[]];
  readonly operator: UserAgent;
  readonly open: (host: string, port: number, options?: Partial<UserAgentOptions>) => Promise<UserAgent>;
  readonly close: (agent: UserAgent) => Promise<void>;
}

/** User agents of ours behind a Kamailio, with the configuration of the documentation. */
export function proxyRows(): PhoneRow[] {
  return [
    row('calls in are spread, and talk', spread),
    row('calls out go by it: hold, BYE, CANCEL, a server that is away', placed),
    row('strangers, forged sources and relaying are refused', refused),
    row('a process that knows no trunks yet, is full, or gone, costs no call', failedOver),
    row('a call is taken over by another process', takenOver),
    row('registered by one process, called at any', registered),
    {
      title: 'product, kamailio in front: three processes, calls both ways, kill -9',
      needs: 'kamailio',
      run: wholeProduct,
    },
  ];
}

function row(title: string, scene: (harness: Harness) => Promise<string>): PhoneRow {
  return { title: `kamailio in front: ${title}`, needs: 'kamailio', run: () => withHarness(scene) };
}

async function withHarness(scene: (harness: Harness) => Promise<string>): Promise<string> {
  const proxy = await KamailioProxy.start([...PORTS, ABSENT_PORT]);
  const agents = new Set<UserAgent>();
  const close = async (agent: UserAgent) => {
    if (agents.delete(agent)) await agent.close();
  };
  const open = async (host: string, port: number, options: Partial<UserAgentOptions> = {}) => {
    const from = 27_900 + agents.size * 40;
    const agent = await UserAgent.open({
      listen: { host, port },
      rtpPorts: { from, to: from + 38 },
      realm: KAMAILIO_DOMAIN,
      ...options,
    });
    agents.add(agent);
    return agent;
  };
  try {
    const first = await open('127.0.0.1', PORTS[0], { proxy });
    const second = await open('127.0.0.1', PORTS[1], { proxy });
    const operator = await open(OPERATOR_HOST, OPERATOR_PORT);
    const harness: Harness = { proxy, own: [first, second], taken: [[], []], operator, open, close };
    for (const [at, agent] of harness.own.entries()) {
      agent.addTrunk(operatorTrunk());
      agent.on('call', (call) => {
        harness.taken[at]?.push(call);
        call.ring();
        void call.accept();
      });
    }
    operator.addTrunk(loopbackTrunk(proxy.port, { id: 'prosa' }));
    return await scene(harness);
  } finally {
    await Promise.all([...agents].map(close));
    await proxy.stop();
  }
}

/** Trusted by its address alone. */
function operatorTrunk(changes: Partial<SipTrunk> = {}): SipTrunk {
  return loopbackTrunk(OPERATOR_PORT, {
    id: 'operator',
    target: { host: OPERATOR_HOST, port: OPERATOR_PORT, protocol: 'udp' },
    domain: OPERATOR_HOST,
    inbound: { addresses: [OPERATOR_HOST], credentials: null },
    ...changes,
  });
}

async function answered({ operator }: Harness): Promise<OutgoingCall> {
  const call = operator.call('prosa', CALL)!;
  await nextEvent(call, 'answered', 10_000);
  return call;
}

async function hears(
  speaker: IncomingCall | OutgoingCall,
  ear: IncomingCall | OutgoingCall,
): Promise<number> {
  const stop = playTone(speaker.openAudio()!, 500);
  const audio = ear.openAudio()!;
  const heard = (await listen(audio, 50)).subarray(-audio.sampleRateHz / 2);
  stop();
  const share = toneShare(heard, 500, audio.sampleRateHz);
  check(share > 0.7, `the tone is ${share.toFixed(2)} of what is heard`);
  return share;
}

async function spread(harness: Harness): Promise<string> {
  const calls = await Promise.all(Array.from({ length: CALLS }, () => answered(harness)));
  const [first, second] = harness.taken;
  equal(first.length + second.length, CALLS, 'calls taken');
  check(first.length > 0 && second.length > 0, `one process has all calls: ${first.length}`);
  const share = await hears(
    calls[0]!,
    [...first, ...second].find(({ callId }) => callId === calls[0]!.callId)!,
  );
  const ends = Promise.all(calls.map((call) => nextEvent(call, 'ended')));
  for (const call of [...first, ...second].slice(0, CALLS / 2)) call.hangUp();
  for (const call of calls) if (call.state === 'up') call.hangUp();
  await ends;
  await until(() => harness.own.every(({ callCount }) => callCount === 0));
  return `${first.length} and ${second.length} calls, tone ${(share * 100).toFixed(0)} %`;
}

async function placed({ own, operator, proxy }: Harness): Promise<string> {
  const [agent] = own;
  const offered = nextCall(operator);
  const caller = agent.call('operator', CALL)!;
  const isUp = nextEvent(caller, 'answered');
  const called = await offered;
  equal(called.source.port, proxy.port, 'port it comes from');
  equal(
    ['x-prosa-target', 'x-prosa-source', 'route'].filter((name) => called.request.headers.has(name)),
    [],
    'what is for the proxy alone',
  );
  check(await called.accept(), 'the call cannot be taken');
  await isUp;
  const share = await hears(caller, called);
  for (const [holder, held] of [
    [caller, called],
    [called, caller],
  ] as const) {
    const changed = nextEvent(held, 'hold');
    check(await holder.hold(true), 'no agreement on hold');
    await changed;
    await holder.hold(false);
  }
  const ended = nextEvent(caller, 'ended');
  called.hangUp();
  equal((await ended)[0].by, 'remote', 'who hung up');

  const second = nextCall(operator);
  const cancelled = agent.call('operator', CALL)!;
  const rings = nextEvent(cancelled, 'ringing');
  (await second).ring();
  await rings;
  const ends = Promise.all([nextEvent(cancelled, 'ended'), nextEvent(await second, 'ended')]);
  cancelled.hangUp();
  equal(
    (await ends).map(([end]) => end.outcome),
    ['cancelled', 'cancelled'],
    'outcomes of CANCEL',
  );

  agent.addTrunk(
    operatorTrunk({ id: 'elsewhere', target: { host: '127.0.0.9', port: 5_060, protocol: 'udp' } }),
  );
  const nowhere = agent.call('elsewhere', CALL)!;
  const [{ outcome, status }] = await nextEvent(nowhere, 'ended', 10_000);
  equal(outcome, 'failed', 'outcome of a call to an address that is not allowed');
  return `tone ${(share * 100).toFixed(0)} %, forbidden address ${status}`;
}

async function refused({ own, operator, open, proxy }: Harness): Promise<string> {
  const stranger = await open(STRANGER_HOST, 27_652);
  stranger.addTrunk(loopbackTrunk(proxy.port, { id: 'prosa' }));
  const forged = { headers: { 'x-prosa-source': OPERATOR_HOST } };
  for (const options of [CALL, { ...CALL, ...forged }]) {
    const call = stranger.call('prosa', options)!;
    equal((await nextEvent(call, 'ended'))[0].status, 403, 'status of a call of an unknown caller');
  }
  for (const agent of [stranger, operator]) {
    agent.addTrunk(loopbackTrunk(PORTS[0], { id: 'direct' }));
    const direct = agent.call('direct', { ...CALL, ...forged })!;
    equal((await nextEvent(direct, 'ended'))[0].status, 403, 'status of a call past the proxy');
  }
  let relayed = 0;
  operator.on('call', () => relayed++);
  for (const toTag of ['', ';tag=made-up']) await sendRaw(proxy, toTag);
  await sleep(2_500);
  equal(relayed, 0, 'calls relayed');
  equal(own[0].callCount + own[1].callCount, 0, 'calls taken');
  return 'none was taken';
}

/** An INVITE to another user agent, through the proxy. */
async function sendRaw({ host, port }: KamailioProxy, toTag: string): Promise<void> {
  const socket = createSocket('udp4');
  socket.bind(0, STRANGER_HOST);
  await once(socket, 'listening');
  const to = `sip:victim@${OPERATOR_HOST}:${OPERATOR_PORT}`;
  const lines = [
    `INVITE ${to} SIP/2.0`,
    `Via: SIP/2.0/UDP ${STRANGER_HOST}:${socket.address().port};branch=z9hG4bK${Math.random()}`,
    `Route: <sip:${host}:${port};lr>`,
    `From: <sip:a@${STRANGER_HOST}>;tag=a`,
    `To: <${to}>${toTag}`,
    `Call-ID: ${Math.random()}`,
    'CSeq: 1 INVITE',
    'Max-Forwards: 70',
    `Contact: <sip:a@${STRANGER_HOST}>`,
    `X-Prosa-Target: ${to}`,
    'Content-Length: 0',
  ];
  await new Promise((resolve) => socket.send(`${lines.join('\r\n')}\r\n\r\n`, port, host, resolve));
  setTimeout(() => socket.close(), 2_000).unref();
}

async function failedOver(harness: Harness): Promise<string> {
  const { own, taken } = harness;
  // As the carrier answers where the process has as many calls as it takes.
  const unready = await harness.open('127.0.0.1', ABSENT_PORT, { proxy: harness.proxy });
  for (let at = 0; at < CALLS; at++) (await answered(harness)).hangUp();
  equal(taken[0].length + taken[1].length, CALLS, 'calls of those that know the trunks');
  await harness.close(unready);
  for (const calls of taken) calls.length = 0;
  own[0].removeAllListeners('call');
  own[0].on('call', (call) => call.reject(503));
  for (let at = 0; at < CALLS / 2; at++) (await answered(harness)).hangUp();
  equal(taken[1].length, CALLS / 2, 'calls of the other process');
  await harness.close(own[0]);
  const startedAt = performance.now();
  let longestMs = 0;
  for (let at = 0; at < CALLS / 2; at++) {
    const begunAt = performance.now();
    (await answered(harness)).hangUp();
    longestMs = Math.max(longestMs, performance.now() - begunAt);
  }
  equal(taken[1].length, CALLS, 'calls of the one that is left');
  check(performance.now() - startedAt < 20_000, 'too slow');
  return `the longest waited ${Math.round(longestMs)} ms for an answer`;
}

async function takenOver(harness: Harness): Promise<string> {
  const { own, taken } = harness;
  const call = await answered(harness);
  const at = taken[0].length > 0 ? 0 : 1;
  const [lost] = taken[at];
  const snapshot = lost!.snapshot()!;
  own[at].transactions.abandon(snapshot.dialog.callId);
  lost!.abandon();
  const changed = nextEvent(call, 'changed');
  const resumed = own[at === 0 ? 1 : 0].resume(snapshot)!;
  check(await resumed.takeOver(), 'the far end did not agree');
  await changed;
  const stop = playTone(resumed.openAudio()!, 500);
  const audio = call.openAudio()!;
  const heard = (await listen(audio, 50)).subarray(-audio.sampleRateHz / 2);
  stop();
  const share = toneShare(heard, 500, audio.sampleRateHz);
  check(share > 0.7, `the tone is ${share.toFixed(2)} of what is heard`);
  const ended = nextEvent(resumed, 'ended');
  call.hangUp();
  equal((await ended)[0].by, 'remote', 'who hung up');
  return `tone ${(share * 100).toFixed(0)} %`;
}

async function registered({ own, open, taken }: Harness): Promise<string> {
  const registrar = await Kamailio.start('MD5');
  try {
    const trunk = {
      id: 'registered',
      domain: KAMAILIO_DOMAIN,
      credentials: { username: 'prosa', password: KAMAILIO_PASSWORD },
      inbound: { addresses: [], credentials: { username: 'prosa', password: KAMAILIO_PASSWORD } },
      contactUser: CONTACT_USER,
    };
    own[0].addTrunk(
      loopbackTrunk(registrar.sipPort, { ...trunk, registration: { user: 'prosa', expiresSeconds: 120 } }),
    );
    own[1].addTrunk(loopbackTrunk(registrar.sipPort, trunk));
    await until(() => own[0].trunkStatus('registered')?.registration?.state === 'registered', 8_000);
    const caller = await open('127.0.0.1', 27_654);
    const credentials = { username: 'alice', password: KAMAILIO_PASSWORD };
    caller.addTrunk(
      loopbackTrunk(registrar.sipPort, { domain: KAMAILIO_DOMAIN, credentials, inbound: null }),
    );
    for (let at = 0; at < CALLS; at++) {
      const call = caller.call('trunk', { ...CALL, to: 'prosa' })!;
      await nextEvent(call, 'answered', 10_000);
      call.hangUp();
    }
    const [first, second] = taken;
    check(first.length > 0 && second.length > 0, `one process has all calls: ${first.length}`);
    check(
      [...first, ...second].every(({ trunkIds }) => trunkIds.includes('registered')),
      'not by the registered trunk',
    );
    // A caller that knows the Contact but is not the registrar is refused.
    const stranger = await open(STRANGER_HOST, 27_656);
    stranger.addTrunk(loopbackTrunk(27_380, { id: 'prosa' }));
    const call = stranger.call('prosa', { ...CALL, to: CONTACT_USER })!;
    equal((await nextEvent(call, 'ended'))[0].status, 401, 'status of a stranger who knows the Contact');
    return `${first.length} and ${second.length} calls`;
  } finally {
    await registrar.stop();
  }
}

const PRODUCT_PORTS = [27_620, 27_622, 27_624] as const;
const PROCESSES = PRODUCT_PORTS.length;
const CUSTOMERS = 8;
const WAIT_MS = 90_000;

/** Calls in and out of a product with three voice processes, one of which is killed in mid-call. */
async function wholeProduct(): Promise<string> {
  const proxy = await KamailioProxy.start(PRODUCT_PORTS);
  const closing = [() => proxy.stop()];
  const telephones: SipTelephone[] = [];
  try {
    const prosa = await Prosa.start({
      VOICE_PROCESSES: String(PROCESSES),
      SIP_LISTEN: `127.0.0.1:${PRODUCT_PORTS[0]}`,
      SIP_PROCESS_PORTS: `${PRODUCT_PORTS[1]}-${PRODUCT_PORTS[2] + 1}`,
      SIP_PROXY: `${proxy.host}:${proxy.port}`,
      RTP_PORTS: '29400-29598',
      SIP_TLS_KEY: '',
      SIP_TLS_CERT: '',
      SIP_TLS_CA: '',
    });
    closing.unshift(() => prosa.stop());
    const operator = await UserAgent.open({
      listen: { host: OPERATOR_HOST, port: OPERATOR_PORT },
      rtpPorts: { from: 28_900, to: 28_998 },
      realm: KAMAILIO_DOMAIN,
      codecs: NARROW_CODECS,
    });
    closing.unshift(() => operator.close());
    operator.addTrunk(loopbackTrunk(proxy.port, { id: 'prosa' }));
    const trunk = await prosa.addTrunk(OPERATOR_PORT, 'udp', {
      sip_address: `${OPERATOR_HOST}:${OPERATOR_PORT};transport=udp`,
      allowed_inbound_ips: [OPERATOR_HOST],
    });
    await prosa.addAssistant(trunk, 'inbound');
    await until(() => PRODUCT_PORTS.every((port) => pidAt(port) !== null), WAIT_MS);
    // Until Kamailio has asked each of them whether it is there.
    const reached = new Set<number>();
    await until(async () => {
      const call = operator.call('prosa', { ...CALL, to: trunk.number })!;
      const isUp = await nextEvent(call, 'answered').then(
        () => true,
        () => false,
      );
      if (isUp) reached.add(portOf(call));
      call.hangUp();
      return reached.size === PROCESSES;
    }, WAIT_MS);
    const talks = await Promise.all(
      Array.from({ length: CUSTOMERS }, async () => {
        const call = operator.call('prosa', { ...CALL, to: trunk.number })!;
        await nextEvent(call, 'answered', 30_000);
        const telephone = new SipTelephone(call);
        telephones.push(telephone);
        await telephone.heardSpeech();
        return { call, telephone };
      }),
    );
    const killed = portOf(talks[0]!.call);
    const affected = talks.filter(({ call }) => portOf(call) === killed);
    check(affected.length < CUSTOMERS, `all calls are at ${killed}`);
    const begunMs = performance.now();
    process.kill(pidAt(killed)!, 'SIGKILL');
    await Promise.all(
      affected.map(async ({ call, telephone }) => {
        await nextEvent(call, 'changed', 30_000);
        await telephone.heardAgain(30_000);
      }),
    );
    const pauseMs = Math.round(performance.now() - begunMs);
    equal(talks.filter(({ call }) => call.state !== 'up').length, 0, 'calls lost');
    for (const { call } of talks) call.hangUp();

    const assistant = await prosa.addAssistant(
      await prosa.addTrunk(OPERATOR_PORT, 'udp', {
        sip_address: `${OPERATOR_HOST}:${OPERATOR_PORT};transport=udp`,
        allowed_inbound_ips: [OPERATOR_HOST],
      }),
      'outbound',
    );
    const offered = nextCall(operator, WAIT_MS);
    const callId = await prosa.makeCall(assistant, '+5511987650010');
    const called = await offered;
    equal(called.source.port, proxy.port, 'port it comes from');
    check(await called.accept(), 'the call cannot be taken');
    const telephone = new SipTelephone(called);
    telephones.push(telephone);
    await telephone.heardSpeech();
    called.hangUp();
    equal((await prosa.finished(callId)).status, 'completed', 'status of the call out');
    const rows = await prosa.calls('&type=inbound');
    for (const { id } of rows) equal((await prosa.finished(id)).status, 'completed', `status of call ${id}`);
    return `${affected.length} of ${CUSTOMERS} calls taken over, words after ${pauseMs} ms`;
  } finally {
    for (const telephone of telephones) telephone.close();
    for (const close of closing) await close();
  }
}

/** Where the process of a call is reached. */
function portOf(call: OutgoingCall): number {
  return Number(/:(\d+)/.exec(call.getDialog().snapshot().remoteTarget.slice(4))?.[1]);
}

/** The process that listens at a UDP port; null while none does. */
function pidAt(port: number): number | null {
  const { stdout } = spawnSync('ss', ['-lunpH', `sport = :${port}`], { encoding: 'utf8' });
  const pid = /pid=(\d+)/.exec(stdout)?.[1];
  return pid === undefined ? null : Number(pid);
}
