import { afterEach, describe, expect, it } from '@jest/globals';
import { loopbackTrunk, nextCall, nextEvent, openUserAgent } from '../testing/sip-harness.js';
import { strengthOf, tone } from '@prosa/testing';
import type { CallAudio } from '@prosa/audio';
import type { SipCall } from './call/sip-call.js';
import { AUDIO_CODECS, type AudioCodec, NARROW_CODECS } from './media/codec/audio-codec.js';
import type { UserAgent } from './user-agent.js';

const CALL = { to: '5511999990000', from: '551130000000', ringingTimeoutMs: 5_000 };
const TONE_AMPLITUDE = 0.3;
const CLEARLY = 0.2;
/** What is heard before is the jitter buffer's beginning. */
const SETTLED_FRAMES = 20;
const LISTENED_FRAMES = 20;

describe('UserAgent in wide band', () => {
  const opened: UserAgent[] = [];

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((agent) => agent.close()));
  });

  async function agent(rtpFrom: number, codecs: readonly AudioCodec[] = AUDIO_CODECS) {
    const made = await openUserAgent(rtpFrom, { codecs });
    opened.push(made);
    return made;
  }

  function join(from: UserAgent, to: UserAgent): void {
    from.addTrunk(loopbackTrunk(to.transport.localPort('udp')));
    to.addTrunk(loopbackTrunk(from.transport.localPort('udp')));
  }

  async function connect(alice: UserAgent, bob: UserAgent): Promise<[SipCall, SipCall]> {
    const offered = nextCall(bob);
    const caller = alice.call('trunk', CALL)!;
    const answered = nextEvent(caller, 'answered');
    const called = await offered;
    expect(await called.accept()).toBe(true);
    await answered;
    return [caller, called];
  }

  /** Plays a tone into each end, at the pace of the other's clock: how strong each is at the far end. */
  async function carried(ends: readonly [CallAudio, CallAudio], tones: readonly [number, number]) {
    const sounds = ends.map((end, at) => tone(tones[at]!, end.sampleRateHz, 1_000, TONE_AMPLITUDE));
    const readers = ends.map((end) => end.heard[Symbol.asyncIterator]());
    const heard: [number[], number[]] = [[], []];
    for (let frame = 0; frame < SETTLED_FRAMES + LISTENED_FRAMES; frame++) {
      for (const [at, end] of ends.entries()) {
        const length = end.sampleRateHz / 50;
        const from = (frame * length) % sounds[at]!.length;
        end.send(sounds[at]!.slice(from, from + length));
        const { value } = (await readers[at]!.next()) as { value: Int16Array };
        expect(value).toHaveLength(length);
        if (frame >= SETTLED_FRAMES) heard[at]!.push(...value);
      }
    }
    const strength = (at: 0 | 1) =>
      strengthOf(tones[1 - at]!, Int16Array.from(heard[at]), ends[at].sampleRateHz);
    return Math.min(strength(0), strength(1));
  }

  it('carries both ways what a telephone of narrow band cannot, and keys', async () => {
    const [alice, bob] = [await agent(43_000), await agent(43_200)];
    join(alice, bob);
    const [caller, called] = await connect(alice, bob);
    const [ours, theirs] = [caller.openAudio()!, called.openAudio()!];
    expect([ours.sampleRateHz, theirs.sampleRateHz]).toEqual([16_000, 16_000]);
    expect(await carried([ours, theirs], [6_000, 5_200])).toBeGreaterThan(CLEARLY);
    const key = nextEvent(called, 'key');
    caller.sendDigits('#');
    expect(await key).toEqual(['#']);
  });

  it('stays in wide band through hold and resume, by either side', async () => {
    const [alice, bob] = [await agent(43_000), await agent(43_200)];
    join(alice, bob);
    const [caller, called] = await connect(alice, bob);
    for (const side of [caller, called]) {
      expect([await side.hold(true), await side.hold(false)]).toEqual([true, true]);
      expect([caller, called].map(({ media }) => media!.negotiation.negotiated!.codec)).toEqual([
        'G722',
        'G722',
      ]);
    }
    const ends = [caller.openAudio()!, called.openAudio()!] as const;
    expect(await carried(ends, [6_000, 5_200])).toBeGreaterThan(CLEARLY);
  });

  it('talks in narrow band with whom has nothing else', async () => {
    const [alice, bob] = [await agent(43_000), await agent(43_200, NARROW_CODECS)];
    join(alice, bob);
    const [caller, called] = await connect(alice, bob);
    expect([caller.openAudio()!.sampleRateHz, called.openAudio()!.sampleRateHz]).toEqual([8_000, 8_000]);
  });

  it('keeps the rate of the line when another process with other codecs takes the call over', async () => {
    const [alice, bob] = [await agent(43_000), await agent(43_200)];
    join(alice, bob);
    const [caller, called] = await connect(alice, bob);
    called.openAudio();
    const snapshot = caller.snapshot()!;
    caller.abandon();
    const carol = await agent(43_400, NARROW_CODECS);
    carol.addTrunk(loopbackTrunk(bob.transport.localPort('udp')));
    const resumed = carol.resume(snapshot)!;
    expect(await resumed.takeOver()).toBe(true);
    expect(resumed.media!.negotiation.negotiated!.codec).toBe('PCMU');
    const ends = [resumed.openAudio()!, called.openAudio()!] as const;
    // A recording goes on, and has one rate.
    expect(ends.map(({ sampleRateHz }) => sampleRateHz)).toEqual([16_000, 16_000]);
    expect(await carried(ends, [1_000, 700])).toBeGreaterThan(CLEARLY);
  });
});
