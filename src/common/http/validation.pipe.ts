import { type ArgumentMetadata, Injectable, type PipeTransform, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { text } from '../../i18n/catalogue.js';
import type { FieldIssue } from '../errors/domain-error.js';
import { MalformedBodyError, UnsupportedMediaError, ValidationFailedError } from '../errors/errors.js';
import { isUnreadBody } from './connections/unread-body.js';
import { ruleText } from './rule-texts.js';
import { rememberValidationRules } from './validation-rules.js';
import { decodeText, ITEMS } from './validation-text.js';

const MAX_DEPTH = 24;
/** More than any request of ours holds; a megabyte of small values would keep the process busy for seconds. */
const MAX_VALUES = 20_000;

/**
 * Names that the validation drops at any depth, because every object has them. No field of ours has such a name. In
 * objects with free names, such as variables, dropping one would be a loss without notice. `constructor` is dropped
 * all the same: variables of a visitor that the assistant does not know are dropped under any name.
 */
const LOST_NAMES = new Set(['prototype', ...Object.getOwnPropertyNames(Object.prototype)]);
LOST_NAMES.delete('constructor');

/**
 * Validates bodies and queries by their DTO class; unknown fields are dropped. Before that it refuses what no
 * column can hold: bodies that are no objects, NUL characters, lone surrogates, nesting without end, values without
 * number; and names within fields that would be lost. No body at all is read as an empty one. Path ids are read by their own pipes, as text.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  private readonly inner = new ValidationPipe({
    whitelist: true,
    transform: true,
    stopAtFirstError: true,
    forbidUnknownValues: false,
    // By them the texts of class-validator's own rules find their limits.
    validationError: { target: true, value: true },
    exceptionFactory: (errors) => toError(errors),
  });

  constructor() {
    rememberValidationRules();
  }

  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'body' && metadata.type !== 'query') return value;
    const checked = metadata.type === 'body' ? objectOf(value) : filtersOf(value);
    const issue = findUnstorable(checked, '', 0, { left: MAX_VALUES });
    if (issue) throw new ValidationFailedError([issue]);
    const result: unknown = await this.inner.transform(checked, metadata);
    return result;
  }
}

function objectOf(body: unknown): object {
  if (isUnreadBody(body)) throw new UnsupportedMediaError();
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new MalformedBodyError();
  return body;
}

/**
 * The parameters of a query as filters. An empty one counts as absent: a form sends it for an untouched field. One in
 * brackets is several values: its filter refuses it instead of ignoring it.
 */
function filtersOf(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return Object.fromEntries(
    given.map(([name, value]): [string, unknown] => {
      const list = /^(\w+)\[\w*\]$/.exec(name)?.[1];
      return list === undefined ? [name, value] : [list, [value].flat()];
    }),
  );
}

function toError(errors: ValidationError[]): ValidationFailedError {
  const [first, ...rest] = errors.flatMap((error) => issuesOf(error, ''));
  if (!first) throw new Error('class-validator reported an error without a constraint');
  return new ValidationFailedError([first, ...rest]);
}

function issuesOf(error: ValidationError, parent: string): FieldIssue[] {
  const field = parent ? `${parent}.${error.property}` : error.property;
  const own = Object.entries(error.constraints ?? {}).flatMap(([name, message]) => {
    const { key, params: { [ITEMS]: items, ...params } = {} } =
      decodeText(message) ?? ruleText(error, name, message);
    const places =
      items === undefined
        ? [field]
        : String(items)
            .split(',')
            .map((item) => `${field}.${item}`);
    return places.map((place) => ({ field: place, text: text(key, { ...params, field: place }) }));
  });
  return [...own, ...(error.children ?? []).flatMap((child) => issuesOf(child, field))];
}

function findUnstorable(
  value: unknown,
  field: string,
  depth: number,
  values: { left: number },
): FieldIssue | undefined {
  values.left -= 1;
  if (values.left < 0) return { field, text: text('validation.too_large', { field }) };
  if (typeof value === 'string') {
    return value.includes('\0') || !value.isWellFormed()
      ? { field, text: text('validation.characters', { field }) }
      : undefined;
  }
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return undefined;
  if (depth >= MAX_DEPTH) return { field, text: text('validation.too_deep', { field }) };
  for (const [key, item] of Object.entries(value)) {
    const path = field ? `${field}.${key}` : key;
    if (depth > 0 && LOST_NAMES.has(key))
      return { field: path, text: text('validation.name', { field: path }) };
    const issue = findUnstorable(key, path, depth, values) ?? findUnstorable(item, path, depth + 1, values);
    if (issue) return issue;
  }
  return undefined;
}
