/** The part of a JSON schema that the requests of the API are described with. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
}

/** Whether values may be of this type; `null` is one. */
export function allows({ type }: Schema, wanted: string): boolean {
  return Array.isArray(type) ? type.includes(wanted) : type === wanted;
}

/** What is wrong with a value, in no language yet. */
export type Issue =
  | { readonly kind: 'required' | 'integer' | 'number' | 'pattern' | 'url' }
  | {
      readonly kind: 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems';
      readonly limit: number;
    };

/** Schemas that others refer to, by their name. */
export type Definitions = Readonly<Record<string, Schema>>;

/** Holds values to the limits of the API's own document. @returns issues by path: `post_call_schema.0.name` */
export function findIssues(
  schema: Schema,
  values: object,
  definitions: Definitions = {},
): Map<string, Issue> {
  const found = new Map<string, Issue>();
  const look = (rule: Schema, value: unknown, path: string, isRequired: boolean): void => {
    if (isMissing(value)) {
      if (isRequired) found.set(path, { kind: 'required' });
      return;
    }
    const issue = issueOf(rule, value);
    if (issue) found.set(path, issue);
    if (Array.isArray(value) && rule.items) {
      const { items } = rule;
      value.forEach((item, at) => look(resolve(items, item, definitions), item, `${path}.${at}`, true));
    } else if (rule.properties) {
      lookInside(rule, Object(value) as Record<string, unknown>, `${path}.`);
    }
  };
  const lookInside = (rule: Schema, value: Readonly<Record<string, unknown>>, prefix: string): void => {
    for (const [name, inner] of Object.entries(rule.properties ?? {})) {
      const isRequired = rule.required?.includes(name) ?? false;
      look(resolve(inner, value[name], definitions), value[name], `${prefix}${name}`, isRequired);
    }
  };
  lookInside(schema, values as Record<string, unknown>, '');
  return found;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function resolve(schema: Schema, value: unknown, definitions: Definitions): Schema {
  const { discriminator } = schema;
  const chosen = (Object(value) as Record<string, unknown>)[discriminator?.propertyName ?? ''];
  const reference = discriminator ? discriminator.mapping[String(chosen)] : referenceOf(schema);
  return reference === undefined ? schema : (definitions[reference.split('/').at(-1) ?? ''] ?? schema);
}

/** Also of an object that may be null. */
function referenceOf({ $ref, anyOf = [], allOf = [] }: Schema): string | undefined {
  return $ref ?? [...anyOf, ...allOf].map(referenceOf).find((reference) => reference !== undefined);
}

function issueOf(schema: Schema, value: unknown): Issue | null {
  if (typeof value === 'string') return textIssue(schema, value);
  if (typeof value === 'number') return numberIssue(schema, value);
  if (Array.isArray(value)) {
    const { minItems, maxItems } = schema;
    if (minItems !== undefined && value.length < minItems) return { kind: 'minItems', limit: minItems };
    if (maxItems !== undefined && value.length > maxItems) return { kind: 'maxItems', limit: maxItems };
  }
  return null;
}

function textIssue(schema: Schema, value: string): Issue | null {
  const { minLength, maxLength, pattern, format } = schema;
  if (allows(schema, 'number') || allows(schema, 'integer')) return { kind: 'number' };
  if (minLength !== undefined && value.length < minLength) return { kind: 'minLength', limit: minLength };
  if (maxLength !== undefined && value.length > maxLength) return { kind: 'maxLength', limit: maxLength };
  if (format === 'uri' && !/^https?:\/\/[^\s]+$/i.test(value)) return { kind: 'url' };
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return { kind: 'pattern' };
  return null;
}

function numberIssue(schema: Schema, value: number): Issue | null {
  const { minimum, maximum } = schema;
  if (allows(schema, 'integer') && !Number.isInteger(value)) return { kind: 'integer' };
  if (minimum !== undefined && value < minimum) return { kind: 'minimum', limit: minimum };
  if (maximum !== undefined && value > maximum) return { kind: 'maximum', limit: maximum };
  return null;
}
