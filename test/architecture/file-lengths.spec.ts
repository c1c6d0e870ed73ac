import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const MOST_LINES = 600;
const ROOTS = ['src', 'packages', 'test', 'web', 'bench', 'scripts', 'examples'];
const GENERATED = /(^|\/)(node_modules|dist)\/|^packages\/client\/src\//;

describe('the files of sources and tests', () => {
  it(`have at most ${MOST_LINES} lines each`, () => {
    const files = ROOTS.flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => join(root, file)),
    ).filter((file) => /\.(tsx?|m?js)$/.test(file) && !GENERATED.test(file));
    expect(files.filter((file) => linesOf(file) > MOST_LINES)).toEqual([]);
  });
});

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1;
