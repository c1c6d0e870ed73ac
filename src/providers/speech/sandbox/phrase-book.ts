import { setImmediate } from 'node:timers/promises';
import { distance, type Features, featuresOf } from './phrase-features.js';

/** See `distance`: from here a line is another one. */
const LARGEST_DISTANCE = 1;

export interface Phrase {
  readonly text: string;
  /** Language tag such as `pt-BR`. */
  readonly language: string;
}

/** Speaks a line as the sandbox's people do: mono PCM16 at 8 kHz. */
export type Render = (phrase: Phrase) => Promise<Int16Array>;

export interface Recognised extends Phrase {
  /** 0 is the same sound, 1 the limit. */
  readonly distance: number;
}

/**
 * Recognises lines it knows, by comparing sound with sound: no model, and none needed to test a whole call in audio.
 * What is none of its lines is refused.
 */
export class PhraseBook {
  private readonly pages = new Map<
    string,
    { readonly phrase: Phrase; readonly features: Promise<Features> }
  >();

  constructor(
    phrases: readonly Phrase[],
    private readonly render: Render,
  ) {
    this.add(phrases);
  }

  /** Takes further lines, and their sentences, as a pause may cut a line into them. */
  add(phrases: readonly Phrase[]): void {
    for (const { text, language } of phrases) {
      for (const part of new Set([text, ...sentencesOf(text)])) {
        const key = `${language} ${part}`;
        if (this.pages.has(key)) continue;
        const phrase = { text: part, language };
        const features = this.render(phrase).then(featuresOf);
        // A line that cannot be rendered is unknown, and tried again when it is added again.
        features.catch(() => this.pages.delete(key));
        this.pages.set(key, { phrase, features });
      }
    }
  }

  /** Resolves when every line is known. */
  async ready(): Promise<void> {
    await Promise.allSettled([...this.pages.values()].map(({ features }) => features));
  }

  /**
   * The line that was said.
   *
   * @param pcm mono PCM16 at 8 kHz, one utterance
   * @returns null for silence, and for what is none of its lines
   */
  async recognise(pcm: Int16Array): Promise<Recognised | null> {
    const heard = featuresOf(pcm);
    let best: Recognised | null = null;
    for (const { phrase, features } of this.pages.values()) {
      const known = await features.catch(() => null);
      const apart = known ? distance(heard, known) : Infinity;
      if (apart <= LARGEST_DISTANCE && apart < (best?.distance ?? Infinity))
        best = { ...phrase, distance: apart };
      // A line takes a few milliseconds: others have their turn in between.
      await setImmediate();
    }
    return best;
  }
}

function sentencesOf(text: string): string[] {
  return [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)].map(({ segment }) =>
    segment.trim(),
  );
}
