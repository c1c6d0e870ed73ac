import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OutgoingCall, type SipCallEnd, UserAgent, type UserAgentOptions } from '@prosa/sip';
import { loopbackTrunk, nextCall, nextEvent, openLossyPath } from '@prosa/sip/testing';
import { until } from '../../support/until.js';
import { check, equal, type PhoneRow } from '../row.js';
import {
  ofTransaction,
  pause,
  receive,
  request,
  respond,
  respondInDialog,
  respondTo,
  scenario,
  Sipp,
  SIPP_PORT,
} from '../software/sipp.js';

const OUR_PORT = 27_260;
const CALL = { to: '5511', from: '5522', ringingTimeoutMs: 60_000 };
const LOSSY = { lost: 0.2, doubled: 0.1, delayed: 0.2 };
const LOSSY_CALLS = 200;
const OUTCOMES = [
  ['486 Busy Here', 'busy'],
  ['600 Busy Everywhere', 'busy'],
  ['480 Temporarily Unavailable', 'no-answer'],
  ['603 Decline', 'declined'],
  ['404 Not Found', 'unassigned'],
  ['302 Moved Temporarily', 'moved'],
  ['500 Server Internal Error', 'failed'],
  ['503 Service Unavailable', 'failed'],
] as const;

export function sippRows(): PhoneRow[] {
  const rows: readonly (readonly [title: string, run: () => Promise<string>, isLong?: boolean])[] = [
    ...OUTCOMES.map(
      ([status, outcome]) => [`call out: ${status} is "${outcome}"`, () => refused(status, outcome)] as const,
    ),
    ['call out: silence for ever', silence, true],
    ['call out: 503 of one server, and the next one of the name answers', failover],
    ['call out: rings for ever, CANCEL, 487', noAnswer],
    ['call out: 183 with a description, PRACK, answer', earlyOut],
    ['call out: 422, session timer refreshed by us, UPDATE from there', timerOut],
    ['call in: PRACK for our 183', earlyIn],
    ['call in: digest, session timer refreshed by us, held from there', timerIn],
    [`call out: ${LOSSY_CALLS} calls, 20 % lost, 10 % doubled, 20 % late`, lossyOut, true],
    [`call in: ${LOSSY_CALLS} calls, 20 % lost, 10 % doubled, 20 % late`, lossyIn, true],
  ];
  return rows.map(([title, run, isLong]) => ({ title: `sipp udp: ${title}`, needs: 'sipp', run, isLong }));
}

async function withAgent<Result>(
  run: (agent: UserAgent) => Promise<Result>,
  options: Partial<UserAgentOptions> = {},
): Promise<Result> {
  const agent = await UserAgent.open({
    listen: { host: '127.0.0.1', port: OUR_PORT },
    rtpPorts: { from: 28_000, to: 28_998 },
    realm: 'prosa.test',
    // Scenarios begin with an INVITE.
    keepAliveMs: 0,
    ...options,
  });
  try {
    return await run(agent);
  } finally {
    await agent.close();
  }
}

/** One call out to one scenario; sipp must be content as well. */
function callOut(
  xml: string,
  run: (call: OutgoingCall) => Promise<string>,
  options: Partial<UserAgentOptions> = {},
) {
  return withAgent(async (agent) => {
    const far = Sipp.answering(xml);
    try {
      await sleep(700);
      agent.addTrunk(loopbackTrunk(SIPP_PORT, { inbound: null }));
      const detail = await run(agent.call('trunk', CALL)!);
      const { exitCode, output } = await far.result(30_000);
      equal(exitCode, 0, `sipp's exit code (${output})`);
      return detail;
    } finally {
      await far.stop();
    }
  }, options);
}

const INVITE = receive('request="INVITE"');

async function refused(status: string, outcome: SipCallEnd['outcome']): Promise<string> {
  const moved = status.startsWith('302') ? { headers: 'Contact: <sip:elsewhere@127.0.0.1:27899>' } : {};
  const xml = scenario(INVITE, respond(status, moved), receive('request="ACK"'));
  return callOut(xml, async (call) => {
    const [end] = await nextEvent(call, 'ended');
    equal(end.outcome, outcome, 'outcome');
    return end.reason;
  });
}

async function silence(): Promise<string> {
  return withAgent(async (agent) => {
    const far = Sipp.answering(scenario(INVITE, pause(60_000)));
    try {
      await sleep(700);
      agent.addTrunk(loopbackTrunk(SIPP_PORT));
      const call = agent.call('trunk', CALL)!;
      const startedAt = performance.now();
      const [end] = await nextEvent(call, 'ended', 40_000);
      equal([end.outcome, end.reason], ['failed', 'no answer to the INVITE'], 'end');
      return `after ${Math.round((performance.now() - startedAt) / 100) / 10} s`;
    } finally {
      await far.stop();
    }
  });
}

/** DNS names two servers of the operator (RFC 3263 §4.3). */
async function failover(): Promise<string> {
  const second = SIPP_PORT + 10;
  const overloaded = Sipp.answering(
    scenario(INVITE, respond('503 Service Unavailable'), receive('request="ACK"')),
  );
  const answers = Sipp.answering(
    scenario(
      INVITE,
      respond('200 OK', { sdp: true }),
      receive('request="ACK"'),
      receive('request="BYE"'),
      respondInDialog('200 OK'),
    ),
    1,
    second,
  );
  const server = (priority: number, port: number) => ({ priority, weight: 1, port, name: '127.0.0.1' });
  const dns = {
    naptr: async () => [],
    srv: async (name: string) =>
      name === '_sip._udp.operator.example' ? [server(1, SIPP_PORT), server(2, second)] : [],
    addresses: async () => [],
  };
  const run = async (agent: UserAgent) => {
    await sleep(700);
    const target = { host: 'operator.example', port: null, protocol: 'udp' } as const;
    agent.addTrunk(loopbackTrunk(SIPP_PORT, { inbound: null, target, domain: target.host }));
    const call = agent.call('trunk', CALL)!;
    await nextEvent(call, 'answered', 20_000);
    call.hangUp();
    for (const sipp of [overloaded, answers]) {
      const { exitCode, output } = await sipp.result(30_000);
      equal(exitCode, 0, `sipp's exit code (${output})`);
    }
    return 'answered by the second server';
  };
  try {
    return await withAgent(run, { dns });
  } finally {
    await Promise.all([overloaded.stop(), answers.stop()]);
  }
}

async function noAnswer(): Promise<string> {
  const xml = scenario(
    INVITE,
    respond('180 Ringing'),
    receive('request="CANCEL"'),
    respondInDialog('200 OK'),
    respondTo('487 Request Terminated', '[last_Via:]', '1 INVITE', false).replace(
      '[last_To:]',
      '[last_To:];tag=[pid]T[call_number]',
    ),
    receive('request="ACK"'),
  );
  return callOut(xml, async (call) => {
    await nextEvent(call, 'ringing');
    call.hangUp();
    const [end] = await nextEvent(call, 'ended');
    equal(end.outcome, 'cancelled', 'outcome');
    return '';
  });
}

async function earlyOut(): Promise<string> {
  const saveVia = '<ereg regexp=".*" search_in="hdr" header="Via:" assign_to="1"/>';
  const xml = scenario(
    receive('request="INVITE"', '', saveVia),
    respond('183 Session Progress', { headers: 'Require: 100rel\nRSeq: 77', sdp: true }),
    receive(
      'request="PRACK"',
      '',
      '<ereg regexp="77 1 INVITE" search_in="hdr" header="RAck:" check_it="true" assign_to="2"/>',
    ),
    respondInDialog('200 OK'),
    pause(200),
    respondTo('200 OK', 'Via:[$1]', '1 INVITE', true),
    receive('request="ACK"'),
    receive('request="BYE"'),
    respondInDialog('200 OK'),
    '<Reference variables="1,2"/>',
  );
  return callOut(xml, async (call) => {
    await nextEvent(call, 'early');
    await nextEvent(call, 'answered');
    call.hangUp();
    return '';
  });
}

async function timerOut(): Promise<string> {
  const xml = readFileSync(new URL('../sipp/uas_timer.xml', import.meta.url), 'utf8');
  return callOut(
    xml,
    async (call) => {
      await nextEvent(call, 'answered');
      await sleep(4_000);
      equal(call.state, 'up', 'state after two refreshes');
      call.hangUp();
      return '';
    },
    { leastSessionSeconds: 2 },
  );
}

const TAG = '<ereg regexp=";tag=[^;&gt; ]*" search_in="hdr" header="To:" check_it="true" assign_to="3"/>';
const TO = '<sip:prosa@[remote_ip]:[remote_port]>';

async function earlyIn(): Promise<string> {
  const rseq = '<ereg regexp="[0-9]+" search_in="hdr" header="RSeq:" check_it="true" assign_to="2"/>';
  const xml = scenario(
    request('INVITE', 1, TO, 'Supported: 100rel', true),
    receive('response="100"', 'optional="true"'),
    receive('response="183"', '', rseq + TAG),
    request('PRACK', 2, `${TO}[$3]`, 'RAck: [$2] 1 INVITE'),
    receive('response="200"'),
    receive('response="200"'),
    request('ACK', 1, `${TO}[$3]`),
    pause(200),
    request('BYE', 3, `${TO}[$3]`),
    receive('response="200"'),
    '<Reference variables="2,3"/>',
  );
  return callIn(xml, async (agent) => {
    const call = await nextCall(agent);
    check(await call.early(), 'no early media');
    await sleep(600);
    check(await call.accept(), 'the call cannot be taken');
    await nextEvent(call, 'ended');
    return '';
  });
}

async function timerIn(): Promise<string> {
  const xml = readFileSync(new URL('../sipp/uac_timer.xml', import.meta.url), 'utf8');
  return callIn(
    xml,
    async (agent) => {
      agent.addTrunk(
        loopbackTrunk(SIPP_PORT, {
          inbound: { addresses: [], credentials: { username: 'trunk', password: 'tsecret' } },
        }),
      );
      const call = await nextCall(agent);
      call.ring();
      check(await call.accept(), 'the call cannot be taken');
      equal((await nextEvent(call, 'hold'))[0], true, 'hold');
      equal((await nextEvent(call, 'ended'))[0].by, 'remote', 'who hung up');
      return '';
    },
    // It knows MD5 alone, and reads the first challenge alone.
    { leastSessionSeconds: 2, digestAlgorithms: ['MD5'] },
  );
}

function callIn(
  xml: string,
  run: (agent: UserAgent) => Promise<string>,
  options: Partial<UserAgentOptions> = {},
) {
  return withAgent(async (agent) => {
    agent.addTrunk(loopbackTrunk(SIPP_PORT));
    const done = run(agent);
    const far = Sipp.calling(xml, OUR_PORT);
    try {
      const detail = await done.catch(async (error: unknown) => {
        await far.stop();
        throw new Error((await far.result()).output, { cause: error });
      });
      const { exitCode, output } = await far.result(30_000);
      equal(exitCode, 0, `sipp's exit code (${output})`);
      return detail;
    } finally {
      await far.stop();
    }
  }, options);
}

async function lossyOut(): Promise<string> {
  return withAgent(async (agent) => {
    const far = Sipp.start('uas', ['-p', String(SIPP_PORT)]);
    const path = await openLossyPath(SIPP_PORT, LOSSY);
    try {
      await sleep(700);
      agent.addTrunk(loopbackTrunk(path.port));
      const ends: string[] = [];
      const setupMs: number[] = [];
      for (let placed = 0; placed < LOSSY_CALLS; placed++) {
        const call = agent.call('trunk', CALL)!;
        const startedAt = performance.now();
        let answered = false;
        call.once('answered', () => {
          answered = true;
          setupMs.push(performance.now() - startedAt);
          setTimeout(() => call.hangUp(), 1_000);
        });
        call.once('ended', ({ outcome, reason }) => ends.push(answered ? outcome : reason));
        await sleep(60);
      }
      await until(() => ends.length === LOSSY_CALLS, 120_000);
      const lost = ends.filter((end) => end !== 'hung-up');
      equal(lost, [], 'calls lost');
      await until(() => agent.transactions.size.clients === 0, 60_000);
      return `${ends.length} of ${LOSSY_CALLS}; ${describe(path.counts, agent, setupMs)}`;
    } finally {
      path.close();
      await far.stop();
    }
  });
}

const LOSSY_CALL_IN = scenario(
  ofTransaction('invite', 'start', request('INVITE', 1, TO, '', true)),
  ofTransaction('invite', 'response', receive('response="100"', 'optional="true"')),
  ofTransaction('invite', 'response', receive('response="180"', 'optional="true"')),
  ofTransaction('invite', 'response', receive('response="200"')),
  ofTransaction('invite', 'ack', request('ACK', 1, `${TO}[peer_tag_param]`)),
  pause(1_000),
  ofTransaction('bye', 'start', request('BYE', 2, `${TO}[peer_tag_param]`)),
  ofTransaction('bye', 'response', receive('response="200"')),
);

async function lossyIn(): Promise<string> {
  return withAgent(async (agent) => {
    // Each direction has a path of its own, as both sides name their own ports in Contact.
    const toUs = await openLossyPath(OUR_PORT, LOSSY);
    agent.addTrunk(loopbackTrunk(SIPP_PORT));
    const ends: string[] = [];
    let answered = 0;
    agent.on('call', (call) => {
      call.once('answered', () => answered++);
      call.once('ended', ({ outcome, reason }) => ends.push(`${outcome} ${reason}`));
      call.ring();
      setTimeout(() => void call.accept(), 200);
    });
    const pace = ['-r', '15', '-m', String(LOSSY_CALLS), '-timeout', '150'];
    const far = Sipp.calling(LOSSY_CALL_IN, toUs.port, pace);
    try {
      const { output } = await far.result(170_000);
      await until(() => agent.callCount === 0, 60_000);
      equal(
        ends.filter((end) => end !== 'hung-up BYE'),
        [],
        'calls that did not end by their BYE',
      );
      equal(answered, LOSSY_CALLS, `calls answered (${output.slice(-200)})`);
      return `${answered} of ${LOSSY_CALLS}; ${describe(toUs.counts, agent, [])}`;
    } finally {
      toUs.close();
      await far.stop();
    }
  });
}

function describe(
  counts: { lost: number; doubled: number; delayed: number },
  agent: UserAgent,
  setupMs: number[],
): string {
  const sorted = [...setupMs].sort((a, b) => a - b);
  const setup = sorted.length > 0 ? `, set up p50 ${Math.round(sorted[sorted.length >> 1]!)} ms` : '';
  return `${counts.lost} messages lost, ${counts.doubled} doubled, ${counts.delayed} late, ${agent.transactions.counts.retransmissions} sent again${setup}`;
}
