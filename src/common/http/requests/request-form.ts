import type { Type } from '@nestjs/common';
import { getMetadataStorage, type ValidationOptions } from 'class-validator';

/** The class that checks an object of a request; undefined where no class describes it. */
type FormOf = (item: unknown) => Type<object> | undefined;

interface Nested {
  readonly form: FormOf;
  readonly fieldsOfItem: (item: object) => object;
}

/** Fields that a class reads, with what is known of the objects in them. */
type Fields = ReadonlyMap<string, Nested | null>;

const NESTED = 'nestedValidation';

/**
 * Options of `ValidateNested` that name the class of the nested objects.
 *
 * @param fieldsOfItem the fields of an object, where they may be written in another place
 */
export function nestedAs(
  form: FormOf,
  fieldsOfItem: (item: object) => object = (item) => item,
): ValidationOptions {
  return { context: { nested: { form, fieldsOfItem } satisfies Nested } };
}

const fieldsOfForm = new WeakMap<Type<object>, Fields>();

function fieldsOf(form: Type<object>): Fields {
  const known = fieldsOfForm.get(form);
  if (known) return known;
  const fields = new Map<string, Nested | null>();
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(form, '', false, false)) {
    const nested =
      rule.type === NESTED ? (rule.context as { nested?: Nested } | undefined)?.nested : undefined;
    fields.set(rule.propertyName, nested ?? fields.get(rule.propertyName) ?? null);
  }
  fieldsOfForm.set(form, fields);
  return fields;
}

/**
 * Paths of the fields of `value` that `form` does not read, as `tools.0.colour`.
 *
 * @param form undefined where nothing is read
 * @param known names of fields that are no mistake, although the form does not read them
 * @param most how many paths are enough
 */
export function unreadFields(
  value: object,
  form: Type<object> | undefined,
  known: ReadonlySet<string>,
  most: number,
): string[] {
  const own = Object.fromEntries(Object.entries(value).filter(([name]) => !known.has(name)));
  const paths: string[] = [];
  collect(own, form ? fieldsOf(form) : NO_FIELDS, '', paths, most);
  return paths;
}

const NO_FIELDS: Fields = new Map();

function collect(value: object, fields: Fields, parent: string, paths: string[], most: number): void {
  for (const [name, item] of Object.entries(value)) {
    if (paths.length >= most) return;
    const nested = fields.get(name);
    if (nested === undefined) paths.push(`${parent}${name}`);
    else if (nested) collectNested(item, nested, `${parent}${name}`, paths, most);
  }
}

function collectNested(value: unknown, nested: Nested, path: string, paths: string[], most: number): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collectObject(item, nested, `${path}.${index}`, paths, most);
  } else {
    collectObject(value, nested, path, paths, most);
  }
}

function collectObject(value: unknown, nested: Nested, path: string, paths: string[], most: number): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const form = nested.form(value);
  if (form) collect(nested.fieldsOfItem(value), fieldsOf(form), `${path}.`, paths, most);
}
