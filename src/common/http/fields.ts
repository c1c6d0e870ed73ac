import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsDefined,
  IsEmail,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  isISO31661Alpha2,
  Matches,
  Max,
  MaxLength,
  maxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';
import { IANAZone } from 'luxon';
import { text, type TextKey } from '../../i18n/catalogue.js';
import type { TextParams } from '../../i18n/text.js';
import { plainNumber } from '../phone/written-number.js';
import { nestedAs } from './requests/request-form.js';
import { isMaskedUrl } from '../text/masked.js';
import { VISIBLE_CHARACTER } from '../text/visible-text.js';
import { isWrittenDay } from '../time/written-day.js';
import { encodeText, ITEMS } from './validation-text.js';

/**
 * Field decorators of request DTOs: one a field, each with its rule, its text and its documentation, so that the
 * three cannot drift apart. A field is required unless said otherwise; null is refused unless `nullable`.
 */
interface FieldOptions {
  readonly optional?: boolean;
  readonly nullable?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  /** Documented only: defaults are applied by services, so that an update does not bring them back. */
  readonly default?: unknown;
}

export const MAX_INTEGER = 2_147_483_647;

/** An integer as JSON writes it. More digits than a double holds are left for the rule to refuse. */
const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;

function integerOf(value: unknown): unknown {
  return typeof value === 'string' && INTEGER.test(value) ? Number(value) : value;
}

/** A field's issue, whose words are chosen at the edge. */
export function issueText(key: TextKey, params: TextParams = {}): ValidationOptions {
  return {
    message: ({ property }: ValidationArguments) => encodeText(text(key, { field: property, ...params })),
  };
}

/** A rule for each item of a list; its issues name the items that break it, as `phrases.2`. */
export function EachItem(
  name: string,
  fits: (item: unknown) => boolean,
  key: TextKey,
  params: TextParams | (() => TextParams) = {},
): PropertyDecorator {
  const message = ({ property, value }: ValidationArguments) => {
    const wrong = (value as unknown[]).flatMap((item, index) => (fits(item) ? [] : [index]));
    return encodeText(
      text(key, {
        field: property,
        ...(typeof params === 'function' ? params() : params),
        [ITEMS]: wrong.slice(0, MAX_NAMED).join(),
      }),
    );
  };
  const validate = (value: unknown) => Array.isArray(value) && value.every((item) => fits(item));
  return ValidateBy({ name, validator: { validate } }, { message });
}

/** Items of one list that are named; a list of thousands is not answered with thousands of texts. */
const MAX_NAMED = 20;

function field(
  options: FieldOptions,
  docs: ApiPropertyOptions,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  const isGiven = (_object: unknown, value: unknown) =>
    !(options.optional && value === undefined) && !(options.nullable && value === null);
  const requiredUnlessNullable = options.nullable
    ? ValidateBy(
        { name: 'isGiven', validator: { validate: (value) => value !== undefined } },
        issueText('validation.required'),
      )
    : IsDefined(issueText(options.optional ? 'validation.null' : 'validation.required'));
  return applyDecorators(
    ApiProperty({
      ...docs,
      required: !options.optional,
      ...(options.nullable ? { nullable: true } : {}),
      ...(options.description ? { description: options.description } : {}),
      ...(options.example === undefined ? {} : { example: options.example }),
      ...(options.default === undefined ? {} : { default: options.default }),
    } as ApiPropertyOptions),
    ValidateIf(isGiven),
    requiredUnlessNullable,
    ...rules,
  );
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

interface UrlOptions extends FieldOptions {
  /** Holds placeholders, which make it no URI in the sense of the document. */
  readonly template?: boolean;
  readonly max?: number;
  readonly protocols?: readonly ('http:' | 'https:')[];
}

/**
 * An absolute http(s) URL without user name and password. Braces of placeholders are allowed where the URL parser
 * allows them.
 */
export function UrlField(options: UrlOptions = {}): PropertyDecorator {
  const { max = 2048, protocols = ['http:', 'https:'] } = options;
  const isUrl = (value: unknown) =>
    typeof value === 'string' &&
    !/\s/.test(value) &&
    URL.canParse(value) &&
    protocols.some((protocol) => protocol === new URL(value).protocol);
  const hasNoCredentials = (value: unknown) => {
    if (typeof value !== 'string' || !URL.canParse(value)) return true;
    const { username, password } = new URL(value);
    return username === '' && password === '';
  };
  const isNotMasked = (value: unknown) => typeof value !== 'string' || !isMaskedUrl(value);
  return field(
    options,
    { type: String, ...(options.template ? {} : { format: 'uri' }), maxLength: max },
    IsString(issueText('validation.string')),
    MaxLength(max, issueText('validation.max_length', { max })),
    ValidateBy({ name: 'isHttpUrl', validator: { validate: isUrl } }, issueText('validation.url')),
    ValidateBy({ name: 'isNotMasked', validator: { validate: isNotMasked } }, issueText('validation.masked')),
    ValidateBy(
      { name: 'hasNoCredentials', validator: { validate: hasNoCredentials } },
      issueText('validation.url_credentials'),
    ),
  );
}

/**
 * A phone number in any form in which people write it. Its country may be missing: the service makes it E.164 with `toE164`
 * and the country of the account.
 */
export function PhoneField(options: FieldOptions = {}): PropertyDecorator {
  const isNumber = (value: unknown) => {
    const digits = typeof value === 'string' ? plainNumber(value)?.replaceAll(/\D/g, '') : undefined;
    return digits !== undefined && digits.length >= MIN_PHONE_DIGITS && digits.length <= MAX_PHONE_DIGITS;
  };
  return field(
    { example: '+5511987654321', ...options },
    { type: String, maxLength: MAX_PHONE_LENGTH },
    IsString(issueText('validation.string')),
    MaxLength(MAX_PHONE_LENGTH, issueText('validation.max_length', { max: MAX_PHONE_LENGTH })),
    ValidateBy({ name: 'isPhone', validator: { validate: isNumber } }, issueText('validation.phone')),
  );
}

const MIN_PHONE_DIGITS = 3;
/** Of E.164 and a prefix for calls abroad. */
const MAX_PHONE_DIGITS = 18;
const MAX_PHONE_LENGTH = 40;

/** The IANA name of a time zone. Whether the database knows it is for the service to say. */
export function TimeZoneField(options: FieldOptions = {}): PropertyDecorator {
  const isZone = (value: unknown) => typeof value === 'string' && value.length <= 64 && isTimeZone(value);
  return field(
    { example: 'America/Sao_Paulo', ...options },
    { type: String },
    ValidateBy({ name: 'isTimeZone', validator: { validate: isZone } }, issueText('validation.timezone')),
  );
}

/** A country by its two letters, in either case; stored in capitals. */
export function CountryField(options: FieldOptions = {}): PropertyDecorator {
  const isCountry = (value: unknown) => isISO31661Alpha2(value);
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toUpperCase() : value)),
    StringField({ example: 'US', ...options }),
    ValidateBy({ name: 'isCountry', validator: { validate: isCountry } }, issueText('validation.country')),
  );
}

interface ArrayOptions extends FieldOptions {
  readonly maxItems?: number;
  readonly minItems?: number;
}

/** Distinct ids. */
export function IdsField(options: ArrayOptions = {}): PropertyDecorator {
  const { minItems = 0, maxItems = 100 } = options;
  const isId = (id: unknown) => Number.isInteger(id) && Number(id) >= 1 && Number(id) <= MAX_INTEGER;
  return field(
    options,
    { type: 'array', items: { type: 'integer', minimum: 1, maximum: MAX_INTEGER }, minItems, maxItems },
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(integerOf) : value)),
    IsArray(issueText('validation.array')),
    ArrayMinSize(minItems, issueText('validation.min_items', { min: minItems })),
    ArrayMaxSize(maxItems, issueText('validation.max_items', { max: maxItems })),
    EachItem('isIds', isId, 'validation.integer'),
    ArrayUnique(issueText('validation.distinct')),
  );
}

interface NamesOptions extends ArrayOptions {
  /** Of each name. */
  readonly max: number;
}

/** Distinct names of which there are more than the documentation knows. Whether there is such a one is for the service to say. */
export function NamesField({ max, ...options }: NamesOptions): PropertyDecorator {
  const { minItems = 0, maxItems = 100 } = options;
  return field(
    options,
    {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: max },
      minItems,
      maxItems,
      uniqueItems: true,
    },
    IsArray(issueText('validation.array')),
    ArrayMinSize(minItems, issueText('validation.min_items', { min: minItems })),
    ArrayMaxSize(maxItems, issueText('validation.max_items', { max: maxItems })),
    EachItem('areTexts', (item) => typeof item === 'string', 'validation.string'),
    EachItem('areShort', (item) => maxLength(item, max), 'validation.max_length', { max }),
    ArrayUnique(issueText('validation.distinct')),
  );
}

const MAX_ORIGIN = 255;

/** Distinct origins of pages, as browsers send them: scheme, host and port, nothing after. */
export function OriginsField(options: ArrayOptions = {}): PropertyDecorator {
  const { minItems = 0, maxItems = 50 } = options;
  return field(
    options,
    {
      type: 'array',
      items: { type: 'string', maxLength: MAX_ORIGIN, example: 'https://shop.example' },
      minItems,
      maxItems,
    },
    IsArray(issueText('validation.array')),
    ArrayMinSize(minItems, issueText('validation.min_items', { min: minItems })),
    ArrayMaxSize(maxItems, issueText('validation.max_items', { max: maxItems })),
    EachItem('areOrigins', isOrigin, 'validation.origins'),
    ArrayUnique(issueText('validation.distinct')),
  );
}

function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_ORIGIN || !/^https?:/.test(value)) return false;
  return URL.canParse(value) && new URL(value).origin === value;
}

/** An array of objects, each validated as `item`; issues name their index. */
export function ObjectsField(item: () => new () => object, options: ArrayOptions = {}): PropertyDecorator {
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

/** A moment to come, ISO 8601 with its zone. */
export function FutureField(options: FieldOptions = {}): PropertyDecorator {
  const isFuture = (value: unknown) =>
    typeof value === 'string' && MOMENT.test(value) && Date.parse(value) > Date.now();
  return field(
    { example: '2099-12-31T23:59:59Z', ...options },
    { type: String, format: 'date-time' },
    ValidateBy({ name: 'isFuture', validator: { validate: isFuture } }, issueText('validation.future')),
  );
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** A moment, ISO 8601 with its zone. */
export function MomentField(options: FieldOptions = {}): PropertyDecorator {
  const isMoment = (value: unknown) =>
    typeof value === 'string' && MOMENT.test(value) && !Number.isNaN(Date.parse(value));
  return field(
    { example: '2026-12-24T18:30:00Z', ...options },
    { type: String, format: 'date-time' },
    ValidateBy({ name: 'isMoment', validator: { validate: isMoment } }, issueText('validation.moment')),
  );
}

/** Distinct days, `YYYY-MM-DD`, which exist in the calendar. */
export function DaysField(options: ArrayOptions = {}): PropertyDecorator {
  const { minItems = 0, maxItems = 100 } = options;
  return field(
    options,
    { type: 'array', items: { type: 'string', format: 'date' }, minItems, maxItems, uniqueItems: true },
    IsArray(issueText('validation.array')),
    ArrayMinSize(minItems, issueText('validation.min_items', { min: minItems })),
    ArrayMaxSize(maxItems, issueText('validation.max_items', { max: maxItems })),
    EachItem('areDays', isDay, 'validation.date'),
    ArrayUnique(issueText('validation.distinct')),
  );
}

function isDay(value: unknown): boolean {
  return typeof value === 'string' && isWrittenDay(value);
}

/** A query parameter that is a day, `YYYY-MM-DD`, and exists in the calendar. */
export function DateQuery(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { ...options, optional: true },
    { type: String, format: 'date' },
    ValidateBy({ name: 'isDay', validator: { validate: isDay } }, issueText('validation.date')),
  );
}

/** Names that are valid; checking one takes as long as many a request. There are about 600, in any case. */
const knownZones = new Set<string>();
const MAX_KNOWN_ZONES = 1_000;

/**
 * What the JavaScript engine takes for a zone as well: offsets, and abbreviations such as BST, which is Bangladesh to it and
 * Great Britain to PostgreSQL.
 */
const NO_ZONE_NAME = /^(?:[+-]|(?!utc$|gmt$)[a-z]{3}$)/i;

function isTimeZone(name: string): boolean {
  if (knownZones.has(name)) return true;
  const isValid = !NO_ZONE_NAME.test(name) && IANAZone.isValidZone(name);
  if (isValid && knownZones.size < MAX_KNOWN_ZONES) knownZones.add(name);
  return isValid;
}
