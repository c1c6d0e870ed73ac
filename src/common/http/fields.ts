import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import type { TextKey } from '../../i18n/catalogue.js';
import { nestedAs } from './requests/request-form.js';
import { VISIBLE_CHARACTER } from '../text/visible-text.js';
import { EachItem, field, type FieldOptions, issueText, type ListOptions } from './fields/field.js';

export const MAX_INTEGER = 2_147_483_647;

/** An integer as JSON writes it. More digits than a double holds are left for the rule to refuse. */
const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;

export function integerOf(value: unknown): unknown {
  return typeof value === 'string' && INTEGER.test(value) ? Number(value) : value;
}

interface StringOptions extends FieldOptions {
  readonly min?: number;
  readonly max?: number;
  /** Refuse a text without a visible character: nothing is given by it. On by default unless optional. */
  readonly filled?: boolean;
  readonly pattern?: { readonly regex: RegExp; readonly key: TextKey };
}

export function StringField(options: StringOptions = {}): PropertyDecorator {
  const { min, max, pattern, filled = !options.optional && !options.nullable } = options;
  return field(
    options,
    {
      type: String,
      ...(min === undefined ? (filled ? { minLength: 1 } : {}) : { minLength: min }),
      ...(max === undefined ? {} : { maxLength: max }),
      ...(pattern ? { pattern: pattern.regex.source } : {}),
    },
    IsString(issueText('validation.string')),
    ...(filled ? [Matches(VISIBLE_CHARACTER, issueText('validation.required'))] : []),
    ...(min === undefined ? [] : [MinLength(min, issueText('validation.min_length', { min }))]),
    ...(max === undefined ? [] : [MaxLength(max, issueText('validation.max_length', { max }))]),
    ...(pattern ? [Matches(pattern.regex, issueText(pattern.key))] : []),
  );
}

interface RangeOptions extends FieldOptions {
  readonly min?: number;
  readonly max?: number;
}

/**
 * An integer, or a string of its digits: clients take ids from forms, environment variables and expressions, where every value
 * is a string.
 */
export function IntegerField(options: RangeOptions = {}): PropertyDecorator {
  const { min = -MAX_INTEGER, max = MAX_INTEGER } = options;
  return field(
    options,
    { type: 'integer', ...(options.min === undefined ? {} : { minimum: min }), maximum: max },
    Transform(({ value }: { value: unknown }) => integerOf(value)),
    IsInt(issueText('validation.integer')),
    Min(min, issueText('validation.min', { min })),
    Max(max, issueText('validation.max', { max })),
  );
}

/** An id of another resource. Whether it exists and is the caller's is for the service to say. */
export function IdField(options: FieldOptions = {}): PropertyDecorator {
  return IntegerField({ ...options, min: 1 });
}

export function NumberField(options: RangeOptions = {}): PropertyDecorator {
  const { min, max } = options;
  return field(
    options,
    {
      type: Number,
      ...(min === undefined ? {} : { minimum: min }),
      ...(max === undefined ? {} : { maximum: max }),
    },
    IsNumber({ allowNaN: false, allowInfinity: false }, issueText('validation.number')),
    ...(min === undefined ? [] : [Min(min, issueText('validation.min', { min }))]),
    ...(max === undefined ? [] : [Max(max, issueText('validation.max', { max }))]),
  );
}

export function BooleanField(options: FieldOptions = {}): PropertyDecorator {
  return field(options, { type: Boolean }, IsBoolean(issueText('validation.boolean')));
}

interface EnumOptions extends FieldOptions {
  /** Of its component in the OpenAPI document, where query parameters share the values. */
  readonly enumName?: string;
}

export function EnumField(
  values: readonly string[],
  { enumName, ...options }: EnumOptions = {},
): PropertyDecorator {
  return field(
    options,
    // In OpenAPI 3.0 `nullable` does not add null to an `enum`.
    {
      type: String,
      enum: options.nullable ? [...values, null] : [...values],
      ...(enumName ? { enumName } : {}),
    },
    IsIn(values, issueText('validation.one_of', { values: values.join(', ') })),
  );
}

export function EmailField(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { example: 'ana@example.com', ...options },
    { type: String, format: 'email', maxLength: 255 },
    IsEmail({}, issueText('validation.email')),
    MaxLength(255, issueText('validation.max_length', { max: 255 })),
  );
}

export function UuidField(options: FieldOptions = {}): PropertyDecorator {
  return field(options, { type: String, format: 'uuid' }, Matches(UUID, issueText('validation.uuid')));
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An array of objects, each validated as `item`; issues name their index. */
export function ObjectsField(item: () => new () => object, options: ListOptions = {}): PropertyDecorator {
  const { minItems = 0, maxItems = 50 } = options;
  return field(
    options,
    // The document calls only a function of this very name; others it takes for a class.
    { type: () => item(), isArray: true, minItems, maxItems },
    Type(item),
    IsArray(issueText('validation.array')),
    ArrayMinSize(minItems, issueText('validation.min_items', { min: minItems })),
    ArrayMaxSize(maxItems, issueText('validation.max_items', { max: maxItems })),
    // class-validator takes an array among the items for more items, none of them of any class, and checks nothing.
    EachItem('holdsNoArrays', (item) => !Array.isArray(item), 'validation.object'),
    ValidateNested({ each: true, ...issueText('validation.object'), ...nestedAs(item) }),
  );
}

/** One object, validated as `item`; issues name its fields. */
export function NestedField(item: () => new () => object, options: FieldOptions = {}): PropertyDecorator {
  return field(
    options,
    { type: () => item() },
    Type(item),
    IsObject(issueText('validation.object')),
    ValidateNested({ ...issueText('validation.object'), ...nestedAs(item) }),
  );
}

interface ObjectOptions extends FieldOptions {
  /** Most bytes of the object as JSON. */
  readonly maxBytes?: number;
}

/** A free object, such as variables. */
export function ObjectField(options: ObjectOptions = {}): PropertyDecorator {
  const { maxBytes = 65_536 } = options;
  const fits = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '') <= maxBytes;
  return field(
    options,
    { type: 'object', additionalProperties: true },
    IsObject(issueText('validation.object')),
    ValidateBy({ name: 'fits', validator: { validate: fits } }, issueText('validation.too_large')),
  );
}

/** A query parameter that is an integer in text form. */
export function IntegerQuery(options: RangeOptions = {}): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
    ),
    IntegerField({ ...options, optional: true }),
  );
}
