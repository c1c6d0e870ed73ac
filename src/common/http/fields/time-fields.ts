import { ValidateBy } from 'class-validator';
import { IANAZone } from 'luxon';
import { isWrittenDay } from '../../time/written-day.js';
import { EachItem, field, type FieldOptions, issueText, type ListOptions } from './field.js';
import { distinctItems } from './list-fields.js';

/** The IANA name of a time zone. Whether the database knows it is for the service to say. */
export function TimeZoneField(options: FieldOptions = {}): PropertyDecorator {
  const isZone = (value: unknown) => typeof value === 'string' && value.length <= 64 && isTimeZone(value);
  return field(
    { example: 'America/Sao_Paulo', ...options },
    { type: String },
    ValidateBy({ name: 'isTimeZone', validator: { validate: isZone } }, issueText('validation.timezone')),
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
export function DaysField(options: ListOptions = {}): PropertyDecorator {
  return distinctItems(
    options,
    { items: { type: 'string', format: 'date' }, uniqueItems: true },
    EachItem('areDays', isDay, 'validation.date'),
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
