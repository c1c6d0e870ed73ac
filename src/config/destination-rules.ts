import type { NumberType } from 'libphonenumber-js/max';

/** Types of numbers as libphonenumber names them. `UNKNOWN` is a possible number of no known range. */
export const NUMBER_TYPES = [
  'FIXED_LINE',
  'MOBILE',
  'FIXED_LINE_OR_MOBILE',
  'TOLL_FREE',
  'PREMIUM_RATE',
  'SHARED_COST',
  'VOIP',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
  'UNKNOWN',
] as const satisfies readonly (Exclude<NumberType, undefined> | 'UNKNOWN')[];
export type CallNumberType = (typeof NUMBER_TYPES)[number];

/** Types that cost about as much as a call to the country. All others (premium, shared cost, pagers…) pay the called party. */
export const ORDINARY_TYPES: ReadonlySet<CallNumberType> = new Set([
  'FIXED_LINE',
  'MOBILE',
  'FIXED_LINE_OR_MOBILE',
  'TOLL_FREE',
  'VOIP',
  'UAN',
]);

/** Calling codes of satellites, networks and services in no country, which can cost any price. Refused unless named. */
export const COSTLY_CODES = ['870', '878', '881', '882', '883', '888', '979'] as const;
/** All calling codes without a country, by which an operator names services: also freephone and shared cost. */
export const SERVICE_CODES = ['800', '808', ...COSTLY_CODES] as const;

/** Where calls may go. */
export interface DestinationRules {
  /** ISO 3166 codes; empty means all countries. */
  readonly countries: readonly string[];
  /** Of {@link SERVICE_CODES}, those whose numbers may be called whatever their type. */
  readonly serviceCodes: readonly string[];
  readonly types: ReadonlySet<CallNumberType>;
}
