import { describe, expect, it } from '@jest/globals';
import { ReactionMeter } from './reaction-meter.js';
import { SpeechMeter } from './speech-meter.js';

type Stretch = readonly [who: 'far end' | 'assistant' | 'both' | 'none', ms: number];

function afterwards(...stretches: readonly Stretch[]): ReactionMeter {
  const speech = new SpeechMeter();
  const reactions = new ReactionMeter(speech);
  for (const [who, ms] of stretches)
    for (let index = 0; index < ms / 20; index++) {
      const isLoud = (who === 'far end' || who === 'both') && index % 10 < 8;
      const change = speech.hear(isLoud ? 0.1 : 0.001);
      reactions.hear(change, who === 'assistant' || who === 'both');
    }
  return reactions;
}

const HELLO: readonly Stretch[] = [
  ['none', 400],
  ['far end', 500],
  ['none', 1_200],
];

describe('ReactionMeter', () => {
  it('counts replies to the assistant, once they are over', () => {
    const first: readonly Stretch[] = [...HELLO, ['assistant', 2_000], ['none', 400], ['far end', 1_500]];
    expect(afterwards(...first)).toMatchObject({ replies: 0, isReplying: true });
    expect(afterwards(...first, ['none', 1_200])).toMatchObject({ replies: 1, isReplying: false });
  });

  it('takes no first words for a reply, nor words without words before', () => {
    expect(afterwards(['assistant', 3_000], ['none', 400], ['far end', 1_500], ['none', 1_200]).replies).toBe(
      0,
    );
    expect(afterwards(...HELLO, ['far end', 1_500], ['none', 1_200]).replies).toBe(0);
    expect(
      afterwards(...HELLO, ['assistant', 400], ['none', 400], ['far end', 900], ['none', 1_200]).replies,
    ).toBe(0);
  });

  it('takes speech of nine seconds for no reply', () => {
    expect(
      afterwards(...HELLO, ['assistant', 2_000], ['none', 400], ['far end', 9_000], ['none', 1_200]).replies,
    ).toBe(0);
  });

  it('tells who talks on over the assistant from who stops', () => {
    const over: readonly Stretch[] = [...HELLO, ['assistant', 1_500]];
    expect(afterwards(...over, ['both', 500], ['far end', 3_000]).hasTalkedOver).toBe(true);
    expect(afterwards(...over, ['both', 500], ['far end', 1_000], ['none', 3_000]).hasTalkedOver).toBe(false);
  });

  it('measures the silence after words of the assistant that get no answer', () => {
    expect(afterwards(...HELLO, ['none', 5_000]).silentMs).toBe(0);
    expect(afterwards(...HELLO, ['assistant', 2_000], ['none', 5_000]).silentMs).toBe(5_000);
    expect(afterwards(...HELLO, ['assistant', 2_000], ['none', 5_000], ['far end', 500]).silentMs).toBe(0);
  });
});
