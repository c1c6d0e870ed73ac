import { createHash } from 'node:crypto';
import { foldAccents } from '../../src/modules/knowledgebases/retrieval/searchable-text.js';
import { Embeddings } from '../../src/providers/embeddings/embeddings.js';
import { toUnitVector } from '../../src/providers/embeddings/unit-vector.js';

const DIMENSIONS = 1_536;

/**
 * No model: words and their parts of three to five letters, hashed into a vector. It knows spellings and no meanings,
 * so that what it finds says how the fusion behaves and not how well a real model would do.
 */
export class HashingEmbeddings extends Embeddings {
  readonly space = { model: 'hashing', dimensions: DIMENSIONS };

  embed(texts: readonly string[]): Promise<number[][]> {
    return Promise.resolve(texts.map((text) => vectorOf(text)));
  }
}

function vectorOf(text: string): number[] {
  const counts = new Map<string, number>();
  for (const word of foldAccents(text).match(/[\p{L}\p{N}]+/gu) ?? []) {
    for (const part of partsOf(` ${word} `)) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  const vector = Array.from({ length: DIMENSIONS }, () => 0);
  for (const [part, count] of counts) {
    const hash = createHash('md5').update(part).digest();
    const index = hash.readUInt32LE(0) % DIMENSIONS;
    vector[index] = (vector[index] ?? 0) + Math.sqrt(count) * (hash.readUInt8(4) % 2 === 0 ? 1 : -1);
  }
  if (counts.size === 0) vector[0] = 1;
  return toUnitVector(vector, DIMENSIONS);
}

function partsOf(word: string): string[] {
  const parts = [word];
  for (const length of [3, 4, 5]) {
    for (let start = 0; start + length <= word.length; start++) parts.push(word.slice(start, start + length));
  }
  return parts;
}
