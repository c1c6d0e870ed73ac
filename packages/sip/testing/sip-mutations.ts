/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PIECES = [
  '\r\n',
  '\r\n ',
  ';',
  ',',
  '"',
  '<',
  '>',
  ':',
  '@',
  '\\',
  '%',
  '\0',
  '=',
  '99999999999',
  ';tag=',
  'SIP/2.0',
  'ÿ',
];

/** The message with one to four bytes or pieces changed, put in, taken out or repeated. */
export function mutate(message: Buffer, random: () => number): Buffer {
  let bytes = message;
  const changes = 1 + Math.floor(random() * 4);
  for (let change = 0; change < changes; change++) {
    const at = Math.floor(random() * bytes.length);
    const length = Math.floor(random() * random() * 60);
    const piece = PIECES[Math.floor(random() * PIECES.length)] ?? '';
    switch (Math.floor(random() * 5)) {
      case 0:
        bytes = Buffer.from(bytes);
        if (bytes.length > 0) bytes[at] = Math.floor(random() * 256);
        break;
      case 1:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(piece, 'latin1'), bytes.subarray(at)]);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(at - length, 0))]);
        break;
      default:
        bytes = bytes.subarray(0, at);
    }
  }
  return bytes;
}
