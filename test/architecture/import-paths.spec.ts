import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOTS = ['src', 'packages', 'test', 'web', 'bench'];
const CLIMBS = /\b(?:from|import|mock)\b[ (]*['"]((?:\.\.\/){4}[^'"]*)['"]/g;

describe('import paths', () => {
  it('climb at most three folders; `#src/…`, `#test/…`, `#web/…` and `#client/…` begin at the root', () => {
    const files = ROOTS.flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => join(root, file)),
    ).filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'));
    const climbing = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(CLIMBS)].map(([, path]) => `${file}: ${path}`),
    );
    expect(climbing).toEqual([]);
  });
});
