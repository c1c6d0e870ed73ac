import { describe, expect, it } from '@jest/globals';
import { strengthOf, tone } from '@prosa/testing';
import { PCM_RATE_HZ, soundOf } from './sound-body.js';

/** A WAV file. @param extra chunks between the format and the samples */
function wave(samples: Int16Array, rateHz: number, { channels = 1, bits = 16, kind = 1, extra = 0 } = {}) {
  const header = Buffer.alloc(36);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(0xffff_ffff, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(kind, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rateHz, 24);
  header.writeUInt16LE(bits, 34);
  // Chunks begin at even places.
  const list = Buffer.alloc(extra > 0 ? extra + (extra % 2) + 8 : 0);
  if (extra > 0) {
    list.write('LIST', 0, 'latin1');
    list.writeUInt32LE(extra, 4);
  }
  const data = Buffer.alloc(8);
  data.write('data', 0, 'latin1');
  // The length of a file that is made while it is sent is unknown.
  data.writeUInt32LE(0xffff_ffff, 4);
  return Buffer.concat([header, list, data, bytesOf(samples)]);
}

const bytesOf = (samples: Int16Array) => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);

async function heard(bytes: Buffer, contentType: string, chunkBytes = 999): Promise<Int16Array> {
  async function* body() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const all: number[] = [];
  for await (const samples of soundOf(body(), contentType)) all.push(...samples);
  return Int16Array.from(all);
}

describe('soundOf', () => {
  const plain = tone(440, PCM_RATE_HZ, 400, 0.5);

  it.each([1, 2, 7, 999, 100_000])('hands PCM on as it is, in chunks of %d bytes', async (chunkBytes) => {
    expect(await heard(bytesOf(plain), 'audio/pcm', chunkBytes)).toEqual(plain);
  });

  it.each([
    ['a WAV file at 16 kHz', wave(tone(440, 16_000, 400, 0.5), 16_000), 'audio/wav'],
    ['one at 22.05 kHz', wave(tone(440, 22_050, 400, 0.5), 22_050), 'audio/x-wav'],
    ['one with other things in it', wave(tone(440, 8_000, 400, 0.5), 8_000, { extra: 301 }), 'audio/pcm'],
    ['PCM at a rate of its own', bytesOf(tone(440, 16_000, 400, 0.5)), 'audio/L16; rate=16000'],
  ])('hears %s at its right pitch and length', async (_what, bytes, contentType) => {
    for (const chunkBytes of [1, 999]) {
      const samples = await heard(bytes, contentType, chunkBytes);
      expect(Math.abs(samples.length - plain.length)).toBeLessThan(20);
      expect(strengthOf(440, samples, PCM_RATE_HZ)).toBeGreaterThan(0.45);
    }
  });

  it('hears the left of two channels', async () => {
    const left = tone(440, PCM_RATE_HZ, 400, 0.5);
    const both = Int16Array.from({ length: left.length * 2 }, (_, at) => (at % 2 === 0 ? left[at / 2]! : 0));
    expect(await heard(wave(both, PCM_RATE_HZ, { channels: 2 }), 'audio/wav')).toEqual(left);
  });

  it.each([
    ['an MP3 file', Buffer.concat([Buffer.from('ID3'), Buffer.alloc(500)]), 'audio/pcm', 'MP3'],
    [
      'frames of MP3',
      Buffer.concat([Buffer.from([0xff, 0xfb, 0x90]), Buffer.alloc(99)]),
      'audio/mpeg',
      'compressed',
    ],
    ['an error', Buffer.from('{"error":{"message":"no such voice"}}'), 'audio/pcm', 'JSON'],
    ['a page', Buffer.from('<!DOCTYPE html><title>502</title>'), 'application/octet-stream', 'HTML'],
    ['sound in floats', wave(plain, 24_000, { kind: 3, bits: 32 }), 'audio/wav', 'no 16 bit PCM'],
    ['a WAV file at no rate', wave(plain, 0), 'audio/wav', 'no 16 bit PCM'],
    [
      'a header without an end',
      Buffer.concat([Buffer.from('RIFFxxxxWAVE'), Buffer.alloc(9_000)]),
      'audio/wav',
      'PCM',
    ],
  ])('refuses %s', async (_what, bytes, contentType, reason) => {
    await expect(heard(bytes, contentType)).rejects.toThrow(reason);
  });

  it('takes PCM that begins like MP3 for PCM where the server says so', async () => {
    const samples = Int16Array.from([-1_025, ...plain]);
    expect(await heard(bytesOf(samples), 'audio/pcm')).toEqual(samples);
  });
});
