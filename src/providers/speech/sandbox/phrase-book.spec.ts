import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AudioFrame } from '@livekit/rtc-node';
import { EspeakProcess } from './espeak-process.js';
import { espeakVoice } from './espeak-voice.js';
import { type Phrase, PhraseBook } from './phrase-book.js';
import { toTelephoneRate } from './phrase-book-recognizer.js';
import { sandboxPhrases } from './sandbox-phrases.js';

const espeak = new EspeakProcess();

async function speak({ text, language }: Phrase, speed = 1): Promise<Int16Array> {
  const { samples, sampleRateHz } = await espeak.speak({ text, voice: espeakVoice(language), speed });
  return toTelephoneRate(new AudioFrame(samples, sampleRateHz, 1, samples.length));
}

/** G.711 µ-law and back. */
function throughTelephone(sample: number): number {
  const bias = 132;
  const sign = sample < 0 ? -1 : 1;
  const magnitude = Math.min(32_635, Math.abs(sample)) + bias;
  const exponent = Math.floor(Math.log2(magnitude)) - 7;
  const mantissa = (magnitude >> (exponent + 3)) & 15;
  return sign * ((((mantissa << 3) + bias) << exponent) - bias);
}

/** A fixed sequence, so that a failure can be repeated. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648 - 0.5;
  };
}

jest.setTimeout(120_000);

describe('PhraseBook', () => {
  const book = new PhraseBook(sandboxPhrases(), speak);
  beforeAll(() => book.ready(), 120_000);
  afterAll(() => espeak.close());

  it('knows every line after a telephone line, with noise, quieter and slower', async () => {
    const random = noise(7);
    const wrong: string[] = [];
    for (const phrase of sandboxPhrases()) {
      const clean = await speak(phrase, 0.94);
      const heard = clean.map((sample) => throughTelephone(Math.round(sample * 0.4 + random() * 400)));
      const line = await book.recognise(heard);
      if (line?.text !== phrase.text) wrong.push(`${phrase.text} → ${line?.text} (${line?.distance})`);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ['pt-BR', 'Qual é o preço do plano anual com desconto?'],
    ['pt-BR', 'Moro na rua das flores, número vinte e dois.'],
    ['en-US', 'The weather in Lisbon was lovely last week.'],
  ])('refuses a line that is none of its own (%s: %s)', async (language, text) => {
    expect(await book.recognise(await speak({ text, language }))).toBeNull();
  });

  it('hears nothing in silence, noise and nothing', async () => {
    const random = noise(3);
    const hiss = Int16Array.from({ length: 16_000 }, () => random() * 2_000);
    expect(await book.recognise(new Int16Array(16_000))).toBeNull();
    expect(await book.recognise(hiss)).toBeNull();
    expect(await book.recognise(new Int16Array(0))).toBeNull();
  });

  it('recognises lines that are added later', async () => {
    const phrase = { text: 'Meu sobrenome é Albuquerque.', language: 'pt-BR' };
    const learning = new PhraseBook([], speak);
    expect(await learning.recognise(await speak(phrase))).toBeNull();
    learning.add([phrase]);
    expect(await learning.recognise(await speak(phrase))).toMatchObject(phrase);
  });
});
