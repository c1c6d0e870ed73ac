import { APIConnectionError } from '@livekit/agents';
import { Resampler, samplesOf } from '@prosa/audio';

/** What the format `pcm` is, where a server says nothing else. */
export const PCM_RATE_HZ = 24_000;
/** Beyond these a header is no header. */
const RATES_HZ = { least: 8_000, most: 48_000 };
const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const MAX_HEADER_BYTES = 4_096;
const PCM_FORMAT = 1;

/** How files of other formats and pages begin. */
const OTHER_FORMATS: readonly (readonly [name: string, start: RegExp])[] = [
  ['MP3', /^ID3/],
  ['Ogg', /^OggS/],
  ['FLAC', /^fLaC/],
  ['JSON', /^\s*[{[]\s*"/],
  ['HTML', /^\s*<(?:!doctype|html|\?xml)/i],
];
/** A frame of MP3 or AAC, which PCM may begin like: taken for one only where the server does not say that it sends PCM. */
const COMPRESSED_FRAME = /^\xff[\xe2\xe3\xf1-\xf3\xf9-\xfb]/;
const SAYS_PCM = /^audio\/(?:pcm|l16|raw)\b/i;

interface Format {
  readonly rateHz: number;
  readonly channels: number;
  /** Where the samples begin. */
  readonly offset: number;
}

/**
 * The sound of a server's answer to a request for `pcm`, mono at `PCM_RATE_HZ`. Servers of the OpenAI kind answer with what
 * they have: some with a WAV file, some at another rate, some with an error in place of sound.
 *
 * @param contentType of the answer; a `rate` in it counts
 * @throws APIConnectionError for what is not PCM; it must not be heard as noise
 */
export async function* soundOf(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<Int16Array, void, undefined> {
  let waiting = Buffer.alloc(0);
  let format: Format | null = null;
  let resampler: Resampler | null = null;
  for await (const chunk of body) {
    waiting = Buffer.concat([waiting, chunk]);
    if (!format) {
      format = formatOf(waiting, contentType);
      if (!format) continue;
      waiting = waiting.subarray(format.offset);
      resampler = new Resampler(format.rateHz, PCM_RATE_HZ);
    }
    const frameBytes = 2 * format.channels;
    const whole = waiting.length - (waiting.length % frameBytes);
    if (whole === 0) continue;
    const samples = mono(samplesOf(Uint8Array.from(waiting.subarray(0, whole))), format.channels);
    waiting = waiting.subarray(whole);
    if (resampler) yield resampler.process(samples);
  }
}

/** Null until enough has come to tell. */
function formatOf(start: Buffer, contentType: string): Format | null {
  const text = start.toString('latin1', 0, 16);
  if (start.length < RIFF_HEADER_BYTES) return null;
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WAVE') return waveFormat(start);
  const other = OTHER_FORMATS.find(([, beginning]) => beginning.test(text))?.[0];
  const isCompressed = COMPRESSED_FRAME.test(text) && !SAYS_PCM.test(contentType);
  if (other ?? isCompressed) {
    const what = other ?? 'compressed sound';
    throw new APIConnectionError({ message: `The server answered with ${what}, not with PCM` });
  }
  const rate = Number(/[;\s]rate=(\d+)/i.exec(contentType)?.[1]);
  return { rateHz: isRate(rate) ? rate : PCM_RATE_HZ, channels: 1, offset: 0 };
}

function waveFormat(start: Buffer): Format | null {
  let format: { readonly rateHz: number; readonly channels: number } | null = null;
  let at = RIFF_HEADER_BYTES;
  while (at + CHUNK_HEADER_BYTES <= start.length) {
    const name = start.toString('latin1', at, at + 4);
    const length = start.readUInt32LE(at + 4);
    const data = at + CHUNK_HEADER_BYTES;
    if (name === 'data') {
      if (!format) throw notPcm();
      return { ...format, offset: data };
    }
    if (name === 'fmt ') {
      if (data + 16 > start.length) return null;
      format = pcmFormat(start, data);
    }
    at = data + length + (length % 2);
  }
  if (start.length > MAX_HEADER_BYTES) throw notPcm();
  return null;
}

function pcmFormat(bytes: Buffer, at: number): { readonly rateHz: number; readonly channels: number } {
  const [kind, channels, rateHz, bits] = [
    bytes.readUInt16LE(at),
    bytes.readUInt16LE(at + 2),
    bytes.readUInt32LE(at + 4),
    bytes.readUInt16LE(at + 14),
  ];
  if (kind !== PCM_FORMAT || bits !== 16 || channels < 1 || channels > 2 || !isRate(rateHz)) throw notPcm();
  return { rateHz, channels };
}

function isRate(hz: number): boolean {
  return hz >= RATES_HZ.least && hz <= RATES_HZ.most;
}

function notPcm(): APIConnectionError {
  return new APIConnectionError({ message: 'The server answered with a WAV file that holds no 16 bit PCM' });
}

function mono(samples: Int16Array, channels: number): Int16Array {
  return channels === 1 ? samples : samples.filter((_, index) => index % channels === 0);
}
