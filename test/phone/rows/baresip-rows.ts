import { setTimeout as sleep } from 'node:timers/promises';
import { type SipCall, type ReferRequest, type TransportProtocol, UserAgent } from '@prosa/sip';
import { makeCertificate, strengthOf } from '@prosa/testing';
import { listen, loopbackTrunk, nextCall, nextEvent, playTone, toneShare } from '@prosa/sip/testing';
import { until } from '../../support/until.js';
import { check, equal, type PhoneRow } from '../row.js';
import { Baresip, BARESIP_TONE, BARESIP_WIDE_TONE, type WideCodec } from '../software/baresip.js';

const OUR_PORT = 27_060;
/** Beyond the telephone band, and no harmonic of baresip's. */
const OUR_WIDE_TONE = 5_200;
/** baresip's tone has an amplitude of 0.24. */
const CLEARLY_HEARD = 0.15;
const CALL = { to: 'bob', from: '5511', ringingTimeoutMs: 8_000 };

interface Harness {
  readonly ours: UserAgent;
  readonly baresip: Baresip;
  readonly ourUri: string;
}

/** Each row with a baresip and a user agent of its own, over one transport. */
export function baresipRows(): PhoneRow[] {
  const scenes: readonly (readonly [string, (harness: Harness) => Promise<string>])[] = [
    ['call out: sound, keys both ways, hold both ways', callOut],
    ['call out: REFER to baresip, NOTIFY back', referOut],
    ['call in: sound, REFER from baresip, it hangs up', callIn],
    ['call in: CANCEL by baresip', cancelledIn],
    ['call in: rejected with 486', rejectedIn],
  ];
  const rows = (['udp', 'tcp', 'tls'] as const).flatMap((protocol) =>
    scenes.map(([title, scene]) => ({
      title: `baresip ${protocol}: ${title}`,
      needs: 'baresip' as const,
      run: () => withHarness(protocol, scene),
    })),
  );
  const wideband = (title: string, scene: (harness: Harness) => Promise<string>, codec: WideCodec) => ({
    title: `baresip udp: ${title}: 6 kHz both ways, keys, hold both ways`,
    needs: 'baresip' as const,
    run: () => withHarness('udp', scene, () => Baresip.startWideband(codec)),
  });
  return [
    ...rows,
    wideband('G.722: call out', callOutInG722, 'G722'),
    wideband('Opus: call in', callInInOpus, 'OPUS'),
  ];
}

async function withHarness(
  protocol: TransportProtocol,
  scene: (harness: Harness) => Promise<string>,
  start = () => Baresip.start(),
): Promise<string> {
  const baresip = await start();
  const tls = { ...makeCertificate(), port: OUR_PORT + 1, rejectUnauthorized: false };
  const ours = await UserAgent.open({
    listen: { host: '127.0.0.1', port: OUR_PORT, tls },
    rtpPorts: { from: 27_100, to: 27_198 },
    realm: 'prosa.test',
  });
  const port = protocol === 'tls' ? baresip.tlsPort : baresip.sipPort;
  ours.addTrunk(loopbackTrunk(port, {}, protocol));
  const ourPort = protocol === 'tls' ? OUR_PORT + 1 : OUR_PORT;
  try {
    await until(() => ours.trunkStatus('trunk')?.reachable === true);
    return await scene({ ours, baresip, ourUri: `sip:prosa@127.0.0.1:${ourPort};transport=${protocol}` });
  } finally {
    await ours.close();
    await baresip.stop();
  }
}

async function callOut({ ours, baresip }: Harness): Promise<string> {
  const call = ours.call('trunk', CALL)!;
  await nextEvent(call, 'answered');
  const share = toneShare((await listen(call.openAudio()!, 75)).subarray(-8_000), BARESIP_TONE);
  check(share > 0.8, `baresip's tone is ${share.toFixed(2)} of what we hear`);
  call.sendDigits('12#');
  for (const key of ['1', '2', '#'])
    equal((await baresip.event('CALL_DTMF_START')).param, key, 'key at baresip');
  for (const key of ['5', '7']) {
    const heard = nextEvent(call, 'key');
    baresip.command('sndcode', key);
    equal((await heard)[0], key, 'key from baresip');
  }
  check(await call.hold(true), 'baresip refuses to be held');
  await sleep(300);
  const before = call.media!.rtp.receiver.counts.accepted;
  await sleep(500);
  const whileHeld = call.media!.rtp.receiver.counts.accepted - before;
  check(whileHeld <= 1, `${whileHeld} packets come while baresip is held`);
  check(await call.hold(false), 'baresip refuses to be resumed');
  for (const [command, held] of [
    ['hold', true],
    ['resume', false],
  ] as const) {
    const changed = nextEvent(call, 'hold');
    baresip.command(command);
    equal((await changed)[0], held, command);
  }
  const ended = baresip.event('CALL_CLOSED');
  call.hangUp();
  await ended;
  return `tone ${(share * 100).toFixed(0)} %`;
}

/** baresip has nothing but G.722: without it there is no call. */
async function callOutInG722({ ours, baresip }: Harness): Promise<string> {
  const call = ours.call('trunk', CALL)!;
  await nextEvent(call, 'answered');
  return talkInWideband(call, baresip, 'G722');
}

/** baresip has nothing but Opus, which we take where it is offered. */
async function callInInOpus({ ours, baresip, ourUri }: Harness): Promise<string> {
  const offered = nextCall(ours);
  baresip.command('dial', ourUri);
  const call = await offered;
  check(await call.accept(), 'the call cannot be taken');
  return talkInWideband(call, baresip, 'OPUS');
}

async function talkInWideband(call: SipCall, baresip: Baresip, codec: WideCodec): Promise<string> {
  const audio = call.openAudio()!;
  equal(audio.sampleRateHz, 16_000, 'rate of the line');
  const heard = strengthOf(BARESIP_WIDE_TONE, (await listen(audio, 75)).subarray(-16_000), 16_000);
  check(heard > CLEARLY_HEARD, `baresip's tone has the strength ${heard.toFixed(3)}`);
  const stop = playTone(audio, OUR_WIDE_TONE);
  await baresip.ear().heardTone(OUR_WIDE_TONE);
  stop();
  call.sendDigits('7');
  equal((await baresip.event('CALL_DTMF_START')).param, '7', 'key at baresip');
  const key = nextEvent(call, 'key');
  baresip.command('sndcode', '5');
  equal((await key)[0], '5', 'key from baresip');
  check((await call.hold(true)) && (await call.hold(false)), 'baresip refuses to be held');
  for (const command of ['hold', 'resume']) {
    const changed = nextEvent(call, 'hold');
    baresip.command(command);
    await changed;
  }
  equal(call.media?.negotiation.negotiated?.codec, codec, 'codec');
  const ended = baresip.event('CALL_CLOSED');
  call.hangUp();
  await ended;
  return `6 kHz at ${heard.toFixed(3)}`;
}

/** baresip is referred to another number of ours: the transfer is done when that call is up. */
async function referOut({ ours, ourUri }: Harness): Promise<string> {
  const call = ours.call('trunk', CALL)!;
  await nextEvent(call, 'answered');
  const progress: number[] = [];
  const transferred = nextCall(ours);
  const outcome = call.refer(ourUri.replace('prosa', 'carol'), ({ status }) => progress.push(status));
  const second = await transferred;
  check(await second.accept(), 'the transferred call cannot be taken');
  equal(await outcome, { kind: 'done', status: 200 }, 'outcome');
  const share = toneShare((await listen(second.openAudio()!, 75)).subarray(-8_000), BARESIP_TONE);
  check(share > 0.8, `baresip's tone is ${share.toFixed(2)} of what the third party hears`);
  call.hangUp();
  second.hangUp();
  return `NOTIFY ${progress.join(', ')}`;
}

async function callIn({ ours, baresip, ourUri }: Harness): Promise<string> {
  const offered = nextCall(ours);
  baresip.command('dial', ourUri);
  const call = await offered;
  call.ring();
  await baresip.event('CALL_RINGING');
  check(await call.accept(), 'the call cannot be taken');
  await baresip.event('CALL_ESTABLISHED');
  const share = toneShare((await listen(call.openAudio()!, 75)).subarray(-8_000), BARESIP_TONE);
  check(share > 0.8, `baresip's tone is ${share.toFixed(2)} of what we hear`);
  const referred = new Promise<string>((resolve) => {
    call.once('refer', (request: ReferRequest) => {
      request.accept();
      request.notify(503);
      resolve(request.target);
    });
  });
  baresip.command('transfer', 'sip:dave@127.0.0.1:27998');
  equal(await referred, 'sip:dave@127.0.0.1:27998', 'target of the REFER');
  const ended = nextEvent(call, 'ended');
  baresip.command('hangup');
  equal((await ended)[0].by, 'remote', 'who hung up');
  return `tone ${(share * 100).toFixed(0)} %`;
}

async function cancelledIn({ ours, baresip, ourUri }: Harness): Promise<string> {
  const offered = nextCall(ours);
  baresip.command('dial', ourUri);
  const call = await offered;
  call.ring();
  await baresip.event('CALL_RINGING');
  const ended = nextEvent(call, 'ended');
  baresip.command('hangup');
  equal((await ended)[0].outcome, 'cancelled', 'outcome');
  return '';
}

async function rejectedIn({ ours, baresip, ourUri }: Harness): Promise<string> {
  const offered = nextCall(ours);
  baresip.command('dial', ourUri);
  (await offered).reject(486);
  const { param = '' } = await baresip.event('CALL_CLOSED');
  check(param.includes('486'), `baresip says "${param}"`);
  return param;
}
