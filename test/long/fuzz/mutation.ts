import * as fc from 'fast-check';

/** What is sent, in a form that can be written to a file and sent again. */
export interface FuzzInput {
  readonly body: Buffer;
  /** What else there is to know: path, content type, how it is delivered. */
  readonly facts: Readonly<Record<string, string>>;
}

type Change = readonly [
  where: number,
  what: 'flip' | 'overwrite' | 'insert' | 'drop' | 'repeat' | 'cut',
  length: number,
  text: Buffer,
];

/** Bytes that mean something to many parsers. */
const COMMON = [
  '\0',
  '\r\n',
  '\n',
  '"',
  "'",
  ',',
  ';',
  '{',
  '}',
  '[',
  ']',
  '<',
  '>',
  '/',
  '\\',
  '%00',
  '\ufeff',
  '\u2028',
];
const MAX_REPEATED = 20_000;

/** The samples with up to eight places changed. A failing one shrinks towards fewer and smaller changes. */
export function mutationsOf(samples: readonly Buffer[], tokens: readonly string[]): fc.Arbitrary<Buffer> {
  const text = fc.oneof(
    fc.constantFrom(...COMMON, ...tokens).map((token) => Buffer.from(token)),
    fc.uint8Array({ minLength: 1, maxLength: 16 }).map((bytes) => Buffer.from(bytes)),
  );
  const change: fc.Arbitrary<Change> = fc.tuple(
    fc.nat(1_000_000),
    fc.constantFrom('flip', 'overwrite', 'insert', 'drop', 'repeat', 'cut'),
    fc.nat(64),
    text,
  );
  return (
    fc
      // Most inputs keep their form but for a place or two, and get further into the product.
      .tuple(
        fc.constantFrom(...samples),
        fc.oneof(fc.array(change, { maxLength: 2 }), fc.array(change, { maxLength: 8 })),
      )
      .map(([sample, changes]) => changes.reduce(changed, sample))
  );
}

function changed(bytes: Buffer, [where, what, length, text]: Change): Buffer {
  const at = bytes.length === 0 ? 0 : where % bytes.length;
  const before = bytes.subarray(0, at);
  switch (what) {
    case 'flip': {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[at] = (copy[at] ?? 0) ^ (1 << (length % 8));
      return copy;
    }
    case 'overwrite':
      return Buffer.concat([before, text, bytes.subarray(at + text.length)]);
    case 'insert':
      return Buffer.concat([before, text, bytes.subarray(at)]);
    case 'drop':
      return Buffer.concat([before, bytes.subarray(at + length)]);
    case 'repeat': {
      const part = length === 0 ? text : bytes.subarray(at, at + length);
      const times = Math.min(2 ** (length % 12), Math.floor(MAX_REPEATED / Math.max(1, part.length)));
      return Buffer.concat([before, ...Array.from({ length: times }, () => part), bytes.subarray(at)]);
    }
    case 'cut':
      return Buffer.from(before);
  }
}

export const plain = (body: Buffer | string, facts: Record<string, string>): FuzzInput => ({
  body: Buffer.from(body),
  facts,
});

/** As it is written into a file; read again by {@link inputFrom}. */
export function textOf({ body, facts }: FuzzInput): string {
  return `${JSON.stringify({ facts, body: body.toString('base64') }, null, 2)}\n`;
}

export function inputFrom(text: string): FuzzInput {
  const { facts, body } = JSON.parse(text) as { facts: Record<string, string>; body: string };
  return { facts, body: Buffer.from(body, 'base64') };
}
