import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toInt16 } from '@prosa/audio';
import { gapsIn, RATE } from '../../../test/long/calls/recording-gaps.js';
import { seededRandom } from '../../../test/support/chunk-seed.js';
import { spoken } from '@prosa/testing';
import { recordingSides } from '../../../test/support/voice/recording-sides.js';
import { soundLoop } from '../sounds/sound-loops.js';
import { packRecording } from './pack-recording.js';

const SECONDS = 180;

describe('packRecording', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-pack-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('keeps the sound of one side whole where the other begins to speak', async () => {
    const answer = await spoken(
      'Olá! Aqui é a Padaria Central. Posso falar um minuto sobre a sua assinatura de pães?',
      RATE,
    );
    const question = await spoken('Qual é o horário de atendimento?', RATE);
    const ambience = await soundLoop('forest', RATE);
    const random = seededRandom(7);
    const both = new Int16Array(SECONDS * RATE * 2);
    /** Returns where the words are over. */
    const say = (words: Int16Array, side: number, at: number): number => {
      words.forEach((sample, index) => {
        const place = (at + index) * 2 + side;
        if (place < both.length) both[place] = toInt16((both[place] ?? 0) + sample);
      });
      return at + words.length;
    };
    for (let at = 0; at < SECONDS * RATE; at++) both[at * 2 + 1] = ambience[at % ambience.length] ?? 0;
    for (let at = RATE; at < SECONDS * RATE;) {
      at = say(answer, 1, at) + Math.floor(random() * RATE);
      at = say(question, 0, at) + Math.floor((random() + 1) * RATE * 0.5);
    }
    const path = join(folder, 'samples');
    await writeFile(path, Buffer.from(both.buffer));

    await packRecording({ path, sampleRateHz: RATE }, join(folder, 'packed.ogg'));
    const { assistant } = await recordingSides(join(folder, 'packed.ogg'), RATE, 30_000);
    expect(Math.abs(assistant.length / RATE - SECONDS)).toBeLessThan(0.1);
    expect(gapsIn(assistant, 20)).toEqual([]);
  }, 60_000);
});
