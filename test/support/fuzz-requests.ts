import { gzipSync } from 'node:zlib';
import type { MediaTypeObject, ParameterObject, RequestBodyObject } from '@nestjs/swagger';
import * as fc from 'fast-check';
import type { DocumentedRoute } from '../../src/contract/contract-check.js';

/** A request as it goes over the wire. */
export interface FuzzRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  readonly token: 'none' | 'valid' | 'odd';
}

/** JSON text that no value of JavaScript is written as: numbers out of range, keys that are setters, deep nesting. */
class Raw {
  constructor(readonly json: string) {}
}

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Values that have broken servers like this one before. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb',
  'x'.repeat(10_000),
  '𝕏'.repeat(300),
  '\u202e\u0000\ufeff',
  "'; DROP TABLE users; --",
  '{{name}} {city} ${1}',
  '../../etc/passwd',
  'javascript:alert(1)',
  'http://127.0.0.1/',
  '0',
  '1e5',
  'true',
  '2026-02-30',
  '+',
  '١٢٣',
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  [],
  {},
  [null],
  [[]],
  [1, 1],
  new Raw('1e400'),
  new Raw('-1e400'),
  new Raw('1E-400'),
  new Raw('9223372036854775808'),
  new Raw('{"__proto__":{"polluted":true}}'),
  new Raw('{"constructor":{"prototype":{"polluted":true}}}'),
  new Raw('{"a":1,"a":2}'),
  new Raw(deep(100)),
];

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Kept rare: each is about as large as a body may be. */
const HUGE: readonly unknown[] = [
  'x'.repeat(900_000),
  'x'.repeat(1_100_000),
  Array.from({ length: 100_000 }, () => 1),
  new Raw(deep(5_000)),
];

export interface Ids {
  readonly integers: readonly number[];
  readonly uuids: readonly string[];
}

/** Requests to a documented operation: near to its example, or far from anything it was made for. */
export function requestsTo(route: DocumentedRoute, ids: Ids): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      url: urlOf(route, ids),
      wire: bodyOf(route, ids),
      headers: ODD_HEADERS,
      token: fc.oneof(
        { weight: 8, arbitrary: fc.constant('valid' as const) },
        { weight: 1, arbitrary: fc.constant('none' as const) },
        { weight: 1, arbitrary: fc.constant('odd' as const) },
      ),
    })
    .map(({ url, wire, headers, token }) => ({
      method: route.method,
      url,
      headers: { accept: 'application/json', ...wire.headers, ...headers },
      body: wire.body,
      token,
    }));
}

const ODD_HEADERS: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { accept: 'text/event-stream' },
      { accept: '*/*;q=0' },
      { accept: 'text/html, \u00ff' },
      { 'accept-language': 'x'.repeat(4_000) },
      { 'x-forwarded-for': "1.2.3.4, ' or 1=1, ::ffff:127.0.0.1" },
      { 'x-forwarded-proto': 'gopher', 'x-forwarded-host': 'evil\u00e9' },
      { host: '[::' },
      { host: 'a b<>' },
      { 'if-none-match': '*', range: 'bytes=0-' },
      { 'x-request-id': '\u00ff'.repeat(500) },
      { 'idempotency-key': ' ' },
      { 'idempotency-key': 'k\u00ff'.repeat(300) },
      { 'idempotency-key': 'same-key' },
      { 'x-http-method-override': 'DELETE' },
      { cookie: '__proto__=1; constructor[prototype]=2' },
    ),
  },
);

/** Text that is already percent-encoded, or never will be. */
const RAW_SEGMENTS = ['%00', '%ff', '%zz', '%ed%a0%80', '..%2f..', '%2e%2e%2f', '*', ';a=1', '%', '%E0%A4%A'];

function pathSegment(ids: Ids): fc.Arbitrary<string> {
  const known = [...ids.integers, ...ids.uuids].map(String);
  const odd = [
    '0',
    '-1',
    '1',
    '2147483648',
    '9223372036854775808',
    '1e400',
    '__proto__',
    'constructor',
    'NaN',
    ' ',
    '01',
    '1.0',
    '١',
    'x'.repeat(3_000),
  ];
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...known) },
    { weight: 3, arbitrary: fc.constantFrom(...odd).map(encodeURIComponent) },
    { weight: 1, arbitrary: fc.constantFrom(...RAW_SEGMENTS) },
    // A client resolves a single dot itself, and asks for another path.
    { weight: 1, arbitrary: fc.webSegment().map((text) => (/^\.{0,2}$/.test(text) ? '0' : text)) },
  );
}

function urlOf({ path, operation }: DocumentedRoute, ids: Ids): fc.Arbitrary<string> {
  const names = path.match(/\{\w+\}/g) ?? [];
  const parameters = ((operation.parameters ?? []) as ParameterObject[]).filter(
    (each) => each.in === 'query',
  );
  const pairs = fc.array(queryPair(parameters, ids), { maxLength: 4 });
  return fc.tuple(fc.tuple(...names.map(() => pathSegment(ids))), pairs).map(([segments, query]) => {
    const left = [...segments];
    const url = path.replace(/\{\w+\}/g, () => left.shift() ?? '');
    return query.length > 0 ? `${url}?${query.join('&')}` : url;
  });
}

function queryPair(parameters: readonly ParameterObject[], ids: Ids): fc.Arbitrary<string> {
  const names = [...parameters.map(({ name }) => name), 'page', '__proto__', 'a[b][c]'];
  const suffix = fc.constantFrom('', '', '', '', '[]', '[x]', '[__proto__]');
  const documented = parameters.flatMap(({ schema, example }) => {
    const known =
      schema && !('$ref' in schema) ? [schema.example, schema.default, ...(schema.enum ?? [])] : [];
    return [example, ...known].filter((each) => each !== undefined).map(String);
  });
  const values = [
    ...documented,
    ...ids.integers.map(String),
    '0',
    '-1',
    '101',
    '2147483648',
    '1e400',
    '',
    '2026-01-31',
    '2026-02-30',
    '0000-00-00',
    'x'.repeat(600),
    '+5511987654321',
    "' or 1=1",
  ];
  const value = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...values).map(encodeURIComponent) },
    { weight: 1, arbitrary: fc.constantFrom(...RAW_SEGMENTS) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }).map(encodeURIComponent) },
  );
  return fc
    .tuple(fc.constantFrom(...names), suffix, value)
    .map(([name, end, text]) => `${name}${end}=${text}`);
}

interface Wire {
  readonly headers: Record<string, string>;
  readonly body: Buffer | undefined;
}

const JSON_TYPE = { 'content-type': 'application/json' };

function bodyOf({ operation }: DocumentedRoute, ids: Ids): fc.Arbitrary<Wire> {
  const requestBody = operation.requestBody as RequestBodyObject | undefined;
  const example = exampleIn(requestBody?.content['application/json']);
  const json = mutated(withIds(example, ids)).map(toJson);
  const asJson = json.map((text): Wire => ({ headers: JSON_TYPE, body: Buffer.from(text) }));
  const none = fc.constant<Wire>({ headers: JSON_TYPE, body: undefined });
  const strange = fc.oneof(
    json.chain((text) =>
      fc.nat(text.length).map((end): Wire => ({ headers: JSON_TYPE, body: Buffer.from(text.slice(0, end)) })),
    ),
    json.map((text): Wire => ({
      headers: JSON_TYPE,
      body: Buffer.from(text.replace('{', `${text.slice(0, -1) || '{'},`)),
    })),
    fc
      .constantFrom('null', '[]', '"text"', '7', '', ' ', '{', '\ufeff{}', deep(50_000))
      .map((text): Wire => ({ headers: JSON_TYPE, body: Buffer.from(text) })),
    fc
      .constantFrom(...HUGE)
      .map((value): Wire => ({ headers: JSON_TYPE, body: Buffer.from(toJson({ name: value })) })),
    fc
      .constantFrom(
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'multipart/form-data; boundary=x',
        'text/csv',
        'application/json; charset=utf-99',
        'application/json; charset=utf-16',
        'x',
        'application/json/json',
        '\u00ff',
      )
      .chain((type) =>
        json.map((text): Wire => ({ headers: { 'content-type': type }, body: Buffer.from(text) })),
      ),
    json.map((text): Wire => ({
      headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
      body: gzipSync(text),
    })),
    json.map((text): Wire => ({
      headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
      body: gzipSync(text).subarray(0, 14),
    })),
    json.map((text): Wire => ({
      headers: { ...JSON_TYPE, 'content-encoding': 'rot13' },
      body: Buffer.from(text),
    })),
    fc.uint8Array({ maxLength: 60 }).map((bytes): Wire => ({ headers: JSON_TYPE, body: Buffer.from(bytes) })),
  );
  return requestBody
    ? fc.oneof(
        { weight: 12, arbitrary: asJson },
        { weight: 1, arbitrary: none },
        { weight: 4, arbitrary: strange },
      )
    : fc.oneof(
        { weight: 12, arbitrary: none },
        { weight: 1, arbitrary: asJson },
        { weight: 1, arbitrary: strange },
      );
}

function exampleIn(media: MediaTypeObject | undefined): unknown {
  return media?.example ?? {};
}

/** The example with ids of things that exist, so that requests get past the first look-up. */
function withIds(value: unknown, ids: Ids): unknown {
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name.endsWith('_id') && name.startsWith('assistant')
        ? typeof item === 'number'
          ? ids.integers[0]
          : ids.uuids[0]
        : withIds(item, ids),
    ]),
  );
}

type Change = readonly [where: number, what: 'replace' | 'drop' | 'add', value: unknown];

/** The value with up to three of its parts replaced, dropped or added to. */
function mutated(value: unknown): fc.Arbitrary<unknown> {
  const change: fc.Arbitrary<Change> = fc.tuple(
    fc.nat(200),
    fc.constantFrom('replace' as const, 'replace' as const, 'drop' as const, 'add' as const),
    hostile,
  );
  return fc.array(change, { maxLength: 3 }).map((changes) => {
    const copy: unknown = structuredClone(value);
    for (const [where, what, to] of changes) {
      const places = placesIn(copy);
      const place = places[where % Math.max(1, places.length)];
      if (!place) continue;
      if (what === 'drop') delete place.parent[place.key];
      // A copy: the same value put into itself would never end.
      else
        place.parent[what === 'add' ? 'unexpected' : place.key] =
          to instanceof Raw ? to : structuredClone(to);
    }
    return copy;
  });
}

interface Place {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null || value instanceof Raw) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...placesIn(parent[key])]);
}

function toJson(value: unknown): string {
  if (value instanceof Raw) return value.json;
  if (Array.isArray(value)) return `[${value.map((item) => toJson(item)).join()}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${toJson(item)}`);
    return `{${entries.join()}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
