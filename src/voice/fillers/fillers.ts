import type { FillerKind } from '../../runtime/call/settings/voice-settings.js';

type Phrases = Readonly<Record<FillerKind, readonly string[]>>;

/** Words that give the tone of a sentence away, in the languages we have phrases for. */
const NEGATIVE =
  /\b(não (funciona|consigo|recebi|gostei)|problema|ruim|péssim[oa]|erro|cancelar|infelizmente|reclama\w*|triste|no (funciona|puedo)|malo|queja|lamentablemente|doesn[’']t work|can[’']t|cannot|problem|wrong|bad|broken|cancel|unfortunately|complain\w*|sad|schlecht|kaputt|leider|problème|mauvais|malheureusement)\b/i;
const POSITIVE =
  /\b(obrigad[oa]|ótim[oa]|perfeit[oa]|adorei|maravilh\w+|excelente|legal|gracias|genial|perfecto|thanks|thank you|great|perfect|wonderful|excellent|awesome|good|danke|super|toll|merci|parfait|grazie|perfetto)\b/i;
const QUESTION =
  /\?\s*$|^\W*(como|quando|onde|quem|qual|quais|quanto|quantos|por que|o que|você pode|tem como|cómo|cuándo|dónde|quién|cuál|cuánto|por qué|how|when|where|who|what|which|why|can you|could you|do you|is there|wie|wann|wo|wer|was|warum|comment|quand|où|qui|pourquoi|come|quando|dove|chi|perché)\b/i;

/** Of what kind the answer to these words should begin. */
export function toneOf(words: string): FillerKind {
  if (QUESTION.test(words)) return 'question';
  if (NEGATIVE.test(words)) return 'negative';
  return POSITIVE.test(words) ? 'positive' : 'neutral';
}

/** Chooses phrases that bridge the pause before an answer, each in turn. */
export class Fillers {
  private readonly used: Record<FillerKind, number> = { positive: 0, negative: 0, question: 0, neutral: 0 };

  constructor(private readonly phrases: Phrases) {}

  get all(): readonly string[] {
    return [...new Set(Object.values(this.phrases).flat())];
  }

  /** Null where the customer has set none of that kind. */
  next(words: string): string | null {
    const tone = toneOf(words);
    const phrases = this.phrases[tone];
    return phrases[this.used[tone]++ % phrases.length] ?? null;
  }
}
