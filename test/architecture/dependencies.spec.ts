import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApplicationConfig, ModuleRef, ModulesContainer } from '@nestjs/core';
import { TestApp } from '../support/app.js';
import { dependenciesIn } from './dependencies.js';
import { sourcesIn } from './sql-uses.js';

const SOURCES = new URL('../../src/', import.meta.url);
const MAX_DEPENDENCIES = 8;
const MAX_PROVIDERS = 30;

/** Nest adds these to each module, and the module itself. */
const ADDED_BY_NEST: readonly unknown[] = [ApplicationConfig, ModuleRef];
/** Modules of Nest's own packages, which the product configures. */
const MODULES_OF_NEST = new Set(['BullModule', 'DiscoveryModule', 'InternalCoreModule', 'TerminusModule']);

type Counted = readonly [name: string, count: number];
const above = (counts: readonly Counted[], limit: number) =>
  Object.fromEntries(counts.filter(([, count]) => count > limit));

describe('a class of src', () => {
  it(`has at most ${MAX_DEPENDENCIES} dependencies: split a larger one by responsibility`, () => {
    const counts = [...sourcesIn(SOURCES).values()]
      .flatMap((source) => dependenciesIn(source))
      .map(({ className, count }): Counted => [className, count]);
    expect(counts.length).toBeGreaterThan(300);
    expect(above(counts, MAX_DEPENDENCIES)).toEqual({});
  });
});

describe('a module of src', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ PROSA_ROLES: 'api,worker,voice', VOICE_LISTEN: '127.0.0.1:0' });
  });
  afterAll(() => app.stop());

  it(`has at most ${MAX_PROVIDERS} providers: split a larger one by responsibility`, () => {
    const counts = [...app.app.get(ModulesContainer).values()]
      .filter(({ metatype }) => !MODULES_OF_NEST.has(metatype.name))
      .map(({ metatype, providers }): Counted => {
        const own = [...providers.keys()].filter((key) => key !== metatype && !ADDED_BY_NEST.includes(key));
        return [metatype.name, own.length];
      });
    expect(counts.length).toBeGreaterThan(40);
    expect(above(counts, MAX_PROVIDERS)).toEqual({});
  });
});

describe('dependencies of a class', () => {
  it.each([
    ['class A {}', []],
    ['class A { constructor() {} }', []],
    ['class A { constructor(private readonly b: B, c: C) {} }', [{ className: 'A', count: 2 }]],
    [
      'class A { @Inject(B) readonly b: B; @Inject() c: C; constructor(d: D) {} }',
      [{ className: 'A', count: 3 }],
    ],
    ['const make = () => class A { constructor(b: B) {} }', [{ className: 'A', count: 1 }]],
  ])('of %s', (source, expected) => {
    expect(dependenciesIn(source)).toEqual(expected);
  });
});
