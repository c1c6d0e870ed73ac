import type { Type } from '@nestjs/common';
import { getMetadataStorage, type ValidationOptions } from 'class-validator';

/** The class that checks an object of a request; undefined where no class describes it. */
type FormOf = (item: unknown) => Type<object> | undefined;

/** Fields that a class reads, each with the class of its objects. */
type Fields = ReadonlyMap<string, FormOf | null>;

const NESTED = 'nestedValidation';

/** Options of `ValidateNested` that name the class of the nested objects. */
export function nestedAs(form: FormOf): ValidationOptions {
  return { context: { form } };
}

const fieldsOfForm = new WeakMap<Type<object>, Fields>();

function fieldsOf(form: Type<object>): Fields {
  const known = fieldsOfForm.get(form);
  if (known) return known;
  const fields = new Map<string, FormOf | null>();
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(form, '', false, false)) {
    const nested = rule.type === NESTED ? (rule.context as { form?: FormOf } | undefined)?.form : undefined;
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
    const formOf = fields.get(name);
    if (formOf === undefined) paths.push(`${parent}${name}`);
    else if (formOf) collectNested(item, formOf, `${parent}${name}`, paths, most);
  }
}

function collectNested(value: unknown, formOf: FormOf, path: string, paths: string[], most: number): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collectObject(item, formOf, `${path}.${index}`, paths, most);
  } else {
    collectObject(value, formOf, path, paths, most);
  }
}

function collectObject(value: unknown, formOf: FormOf, path: string, paths: string[], most: number): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const form = formOf(value);
  if (form) collect(value, fieldsOf(form), `${path}.`, paths, most);
}
