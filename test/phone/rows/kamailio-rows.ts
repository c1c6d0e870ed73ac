import { type TransportProtocol, UserAgent } from '@prosa/sip';
import { makeCertificate } from '@prosa/testing';
import { listen, loopbackTrunk, nextCall, nextEvent, playTone, toneShare } from '@prosa/sip/testing';
import { until } from '../../support/until.js';
import { check, equal, type PhoneRow } from '../row.js';
import { Kamailio, KAMAILIO_DOMAIN, KAMAILIO_PASSWORD } from '../software/kamailio.js';

const ALICE_PORT = 27_400;
const BOB_PORT = 27_420;

const CALL = { to: 'bob', from: 'alice', ringingTimeoutMs: 10_000 };

interface Harness {
  readonly alice: UserAgent;
  readonly bob: UserAgent;
}

/** Two user agents of ours, registered at a Kamailio between them. */
export function kamailioRows(): PhoneRow[] {
  const algorithms = [
    ['udp', 'MD5'],
    ['udp', 'SHA-256'],
    ['tcp', 'MD5'],
    ['tls', 'SHA-256'],
  ] as const;
  return [
    ...algorithms.map(([protocol, algorithm]) => ({
      title: `kamailio ${protocol} ${algorithm}: REGISTER, INVITE 407, Record-Route, hold, CANCEL, 404`,
      needs: 'kamailio' as const,
      run: () => withHarness(protocol, algorithm, calls),
    })),
    {
      title: 'kamailio udp: a wrong password is said, and unregistering is real',
      needs: 'kamailio' as const,
      run: () => withHarness('udp', 'MD5', registrations),
    },
  ];
}

async function withHarness(
  protocol: TransportProtocol,
  algorithm: 'MD5' | 'SHA-256',
  scene: (harness: Harness, port: number) => Promise<string>,
): Promise<string> {
  const kamailio = await Kamailio.start(algorithm);
  const port = protocol === 'tls' ? kamailio.tlsPort : kamailio.sipPort;
  const agents: UserAgent[] = [];
  const open = async (user: string, listenPort: number, rtpFrom: number) => {
    const tls = { ...makeCertificate(), port: listenPort + 1, rejectUnauthorized: false };
    const agent = await UserAgent.open({
      listen: { host: '127.0.0.1', port: listenPort, tls },
      rtpPorts: { from: rtpFrom, to: rtpFrom + 90 },
      realm: KAMAILIO_DOMAIN,
    });
    agents.push(agent);
    agent.addTrunk(trunkOf(user, port, protocol));
    return agent;
  };
  try {
    const alice = await open('alice', ALICE_PORT, 27_500);
    const bob = await open('bob', BOB_PORT, 27_600 - 8);
    await until(() => [alice, bob].every((agent) => stateOf(agent) === 'registered'), 8_000);
    return await scene({ alice, bob }, port);
  } finally {
    await Promise.all(agents.map((agent) => agent.close()));
    await kamailio.stop();
  }
}

function trunkOf(user: string, port: number, protocol: TransportProtocol, password = KAMAILIO_PASSWORD) {
  const changes = {
    domain: KAMAILIO_DOMAIN,
    credentials: { username: user, password },
    registration: { user, expiresSeconds: 120 },
    // Calls come from the registrar, to the registered Contact.
    inbound: null,
  };
  return loopbackTrunk(port, changes, protocol);
}

function stateOf(agent: UserAgent): string | undefined {
  return agent.trunkStatus('trunk')?.registration?.state;
}

async function calls({ alice, bob }: Harness): Promise<string> {
  const offered = nextCall(bob);
  const caller = alice.call('trunk', CALL)!;
  const answered = nextEvent(caller, 'answered');
  const called = await offered;
  called.ring();
  check(await called.accept(), 'the call cannot be taken');
  await answered;
  const stop = playTone(caller.openAudio()!, 500);
  const ear = called.openAudio()!;
  // Half a second: both ends are ours, and talk in wide band.
  const heard = (await listen(ear, 50)).subarray(-ear.sampleRateHz / 2);
  const share = toneShare(heard, 500, ear.sampleRateHz);
  stop();
  check(share > 0.7, `the tone is ${share.toFixed(2)} of what is heard`);
  for (const [holder, held] of [
    [caller, called],
    [called, caller],
  ] as const) {
    for (const isHeld of [true, false]) {
      const changed = nextEvent(held, 'hold');
      check(await holder.hold(isHeld), 'no agreement on hold');
      equal((await changed)[0], isHeld, 'hold');
    }
  }
  const ended = nextEvent(caller, 'ended');
  called.hangUp();
  equal((await ended)[0].by, 'remote', 'who hung up');

  const second = nextCall(bob);
  const cancelled = alice.call('trunk', CALL)!;
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

  const unknown = alice.call('trunk', { ...CALL, to: 'unknown' })!;
  equal((await nextEvent(unknown, 'ended'))[0].status, 404, 'status of a call to an unknown user');
  return `tone ${(share * 100).toFixed(0)} %`;
}

async function registrations({ alice, bob }: Harness, port: number): Promise<string> {
  const wrong = { ...trunkOf('alice', port, 'udp', 'wrong'), id: 'wrong' };
  alice.addTrunk(wrong);
  await until(() => alice.trunkStatus('wrong')?.registration?.state === 'failed');
  const reason = alice.trunkStatus('wrong')?.registration?.reason ?? '';
  check(reason.startsWith('401'), `reason ${reason}`);
  await bob.drain();
  const caller = alice.call('trunk', CALL)!;
  equal((await nextEvent(caller, 'ended'))[0].status, 404, 'status of a call to who has signed off');
  return reason;
}
