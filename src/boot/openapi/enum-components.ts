import type { OpenAPIObject, SchemaObject } from '@nestjs/swagger';
import { pascalCase } from './pascal-case.js';

type Part = Record<string, unknown>;

/** One place of the document that takes one of several texts. */
interface EnumPlace {
  readonly schema: Part;
  readonly values: readonly string[];
  /** Names for it, the best first; empty where the place is no field of a component. */
  readonly names: readonly string[];
}

/**
 * Makes a component of each list of texts that a field takes one of. It is named after its class and its field, as `CallStatus`;
 * fields with the same values share one component, with the shortest of their names.
 */
export function nameEnums(document: OpenAPIObject): void {
  const schemas = (document.components ??= {}).schemas ?? {};
  const places = placesOf(document);
  const taken = new Set(Object.keys(schemas));
  const names = new Map<string, string>();
  for (const [key, candidates] of candidatesOf(places)) {
    const name = candidates.find((candidate) => !taken.has(candidate));
    if (name === undefined) continue;
    taken.add(name);
    names.set(key, name);
  }
  for (const { schema, values } of places) {
    const name = names.get(keyOf(values));
    if (name === undefined) continue;
    schemas[name] ??= { type: 'string', enum: [...values] };
    refer(schema, `#/components/schemas/${name}`);
  }
}

/** Lists of values with the names they could have: the shortest first, so that a name does not depend on an order. */
function candidatesOf(places: readonly EnumPlace[]): [string, string[]][] {
  const candidates = new Map<string, Set<string>>();
  for (const { values, names } of places) {
    if (names.length === 0) continue;
    const known = candidates.get(keyOf(values)) ?? new Set();
    candidates.set(keyOf(values), new Set([...known, ...names]));
  }
  const sorted = [...candidates].map(([key, names]): [string, string[]] => [
    key,
    [...names].sort((a, b) => a.length - b.length || a.localeCompare(b)),
  ]);
  return sorted.sort(([a], [b]) => a.localeCompare(b));
}

function placesOf(document: OpenAPIObject): EnumPlace[] {
  const places: EnumPlace[] = [];
  const visit = (value: unknown, owner: string, field: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) visit(item, owner, field);
      return;
    }
    const part = value as Part;
    const values = textsOf(part);
    if (values) places.push({ schema: part, values, names: owner === '' ? [] : [nameOf(owner, field)] });
    for (const [key, inner] of Object.entries(part)) {
      if (DATA.has(key)) continue;
      if (key === 'properties' && typeof inner === 'object') {
        for (const [name, property] of Object.entries(inner as Part)) visit(property, owner, name);
      } else visit(inner, owner, field);
    }
  };
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) visit(schema, name, '');
  visit(document.paths, '', '');
  return places;
}

/** What is under these keys is data, not schema. */
const DATA = new Set(['example', 'examples', 'default', 'enum']);

/** The texts of an enum, without null; null where it is none, or one that has a single value. */
function textsOf(part: Part): string[] | null {
  const list = (part as SchemaObject).enum as unknown[] | undefined;
  const isText = [part.type].flat().includes('string');
  if (!Array.isArray(list) || !isText) return null;
  const texts = list.filter((value): value is string => typeof value === 'string');
  return texts.length > 1 ? texts : null;
}

/** `CallItemResponse.call_status` → `CallStatus`; `CreateFolderRequest.color` → `FolderColor`. */
function nameOf(owner: string, field: string): string {
  const base = owner
    .replace(/^(Create|Update|Put|Begin|Set|Patch)(?=[A-Z])/, '')
    .replace(/(Request|Response|Payload)$/, '')
    .replace(/(?<=[a-z])(Item|List|Details)$/, '');
  const words = pascalCase(field);
  return words.startsWith(base) ? words : `${base}${words}`;
}

function keyOf(values: readonly string[]): string {
  return values.join('\n');
}

/** Puts the reference in place of the values. What describes the field stays next to it, as OpenAPI 3.1 allows. */
function refer(schema: Part, ref: string): void {
  const isNullable = [schema.type].flat().includes('null');
  delete schema.enum;
  delete schema.type;
  if (isNullable) schema.anyOf = [{ $ref: ref }, { type: 'null' }];
  else schema.$ref = ref;
}
