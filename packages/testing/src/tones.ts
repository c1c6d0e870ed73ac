/** A sine of an amplitude (0 to 1). */
export function tone(hz: number, sampleRateHz: number, durationMs: number, amplitude = 0.5): Int16Array {
  const samples = new Int16Array(Math.round((sampleRateHz * durationMs) / 1_000));
  for (let index = 0; index < samples.length; index++)
    samples[index] = Math.round(Math.sin((2 * Math.PI * hz * index) / sampleRateHz) * amplitude * 32_767);
  return samples;
}

export function noise(sampleRateHz: number, durationMs: number, amplitude: number, seed = 1): Int16Array {
  let state = seed;
  return Int16Array.from({ length: (sampleRateHz * durationMs) / 1_000 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.round((state / 2 ** 31) * amplitude * 32_767);
  });
}

/** The sum, as two sounds on one line; as long as the first. */
export function mixed(first: Int16Array, second: Int16Array): Int16Array {
  return first.map((sample, index) =>
    Math.max(-32_768, Math.min(32_767, sample + (second[index % second.length] ?? 0))),
  );
}

export function joined(...parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function* framesOf(samples: Int16Array, sampleRateHz: number): Generator<Int16Array> {
  const length = sampleRateHz / 50;
  for (let at = 0; at < samples.length; at += length) {
    const frame = new Int16Array(length);
    frame.set(samples.subarray(at, at + length));
    yield frame;
  }
}

/** How strong one frequency is, as the amplitude (0 to 1) of the sine that would give it. */
export function strengthOf(hz: number, samples: Int16Array, sampleRateHz: number): number {
  let re = 0;
  let im = 0;
  samples.forEach((sample, index) => {
    const angle = (2 * Math.PI * hz * index) / sampleRateHz;
    re += sample * Math.cos(angle);
    im += sample * Math.sin(angle);
  });
  return (2 * Math.hypot(re, im)) / samples.length / 32_768;
}

/** The same over windows of 100 ms, on average: all of the tone counts, also where its phase changes. */
export function meanStrengthOf(hz: number, samples: Int16Array, sampleRateHz: number): number {
  const window = sampleRateHz / 10;
  let sum = 0;
  let windows = 0;
  for (let at = 0; at + window <= samples.length; at += window, windows++)
    sum += strengthOf(hz, samples.subarray(at, at + window), sampleRateHz);
  return sum / windows;
}

/** The same where it is loudest: of a tone that lasts 400 ms or more, anywhere in the sound. */
export function loudestOf(hz: number, samples: Int16Array, sampleRateHz: number): number {
  const window = (sampleRateHz * 400) / 1_000;
  let most = 0;
  for (let at = 0; at + window <= samples.length; at += window / 2)
    most = Math.max(most, strengthOf(hz, samples.subarray(at, at + window), sampleRateHz));
  return most;
}
