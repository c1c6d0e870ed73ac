import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const MOST_LINES = 600;
const ROOTS = ['src', 'packages', 'test', 'web', 'bench', 'scripts', 'examples'];
const GENERATED = /(^|\/)(node_modules|dist)\/|^packages\/client\/src\//;
/** Each with its reason. */
const LONGER: Readonly<Record<string, string>> = {
  'test/contract/assistants.contract.spec.ts': 'is being split',
  'test/contract/calls.contract.spec.ts': 'is being split',
};

describe('the files of sources and tests', () => {
  it(`have at most ${MOST_LINES} lines each`, () => {
    const files = ROOTS.flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => join(root, file)),
    ).filter((file) => /\.(tsx?|m?js)$/.test(file) && !GENERATED.test(file));
    const long = files.filter((file) => linesOf(file) > MOST_LINES);
    expect(long.filter((file) => LONGER[file] === undefined)).toEqual([]);
    expect(Object.keys(LONGER).filter((file) => !long.includes(file))).toEqual([]);
  });
});

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1;
