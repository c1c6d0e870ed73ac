import { isIP } from 'node:net';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { z } from 'zod';
import { NUMBER_TYPES, SERVICE_CODES } from './destination-rules.js';
import { pemOf } from './pem.js';

// Kinds of values in the environment. `describe` is their name in docs/reference/configuration.md.

/** Empty means unset, as in compose files and `.env` templates. */
const unsetWhenEmpty = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? undefined : value;

export const optional = <T extends z.ZodType>(schema: T) => z.preprocess(unsetWhenEmpty, schema.optional());
export const withDefault = <T extends z.ZodType>(schema: T, value: z.input<T>) =>
  z.preprocess((given) => unsetWhenEmpty(given) ?? value, schema);

export const number = (min: number, max: number) => z.coerce.number().min(min).max(max);
export const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
export const flag = z
  .enum(['true', 'false', '1', '0', 'on', 'off', 'yes', 'no'])
  .transform((value) => ['true', '1', 'on', 'yes'].includes(value))
  .describe('on or off');
export const url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol.slice(0, -1)),
      `must be a URL that begins with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
    )
    .describe(`URL (${protocols.join(', ')})`);
export const list = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  )
  .describe('list');
export const cidr = z
  .union([z.cidrv4(), z.cidrv6()], 'must be a list of CIDR ranges such as 10.0.0.0/8,127.0.0.1/32')
  .describe('CIDR ranges');
/** `203.0.113.5:5060`, `[2001:db8::5]:5060`. */
export const listenAddress = z
  .string()
  .transform((value, context) => {
    const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(value);
    const host = match?.[1] ?? match?.[2] ?? '';
    const port = Number(match?.[3]);
    if (isIP(host) !== 0 && port <= 65_535) return { host, port };
    context.addIssue('must be an address of this machine and a port, such as 0.0.0.0:5060');
    return z.NEVER;
  })
  .describe('address:port');
export const proxyAddress = listenAddress.refine(
  ({ host, port }) => port > 0 && host !== '0.0.0.0' && host !== '::',
  'must be the address and the port of a proxy, such as 10.0.0.5:5060',
);
export const ipAddress = z
  .string()
  .refine((value) => isIP(value) !== 0, 'must be an IP address such as 203.0.113.5')
  .describe('IP address');
export const portRange = z
  .string()
  .transform((value, context) => {
    const [, from = 0, to = 0] = (/^(\d{1,5})-(\d{1,5})$/.exec(value) ?? []).map(Number);
    if (from >= 1_024 && to <= 65_535 && to > from) return { from, to };
    context.addIssue('must be a range of ports above 1023, such as 40000-40999');
    return z.NEVER;
  })
  .describe('range of ports');
export const pem = z
  .string()
  .transform((value, context) => {
    const found = pemOf(value);
    if (found) return found;
    context.addIssue('must be PEM text, or the path of a PEM file that can be read');
    return z.NEVER;
  })
  .describe('PEM text or file');
export const country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be a list of ISO 3166 codes such as BR,PT')
  .refine(isSupportedCountry, 'must be a list of countries with telephones, by ISO 3166 code')
  .describe('country codes');
/** ISO 3166 codes, and calling codes of services in no country. */
export const destinations = list
  .pipe(
    z.array(
      z
        .string()
        .refine(
          (value) => SERVICE_CODES.some((code) => code === value) || isSupportedCountry(value),
          `must be a list of countries by ISO 3166 code, and of service codes (${SERVICE_CODES.join(', ')})`,
        ),
    ),
  )
  .describe('list of country and service codes');
export const numberTypes = list.pipe(z.array(z.enum(NUMBER_TYPES)).min(1)).describe('list of number types');
/** Decimal dollars in the environment, integer micro-dollars inside. */
export const dollars = z.coerce
  .number()
  .min(0)
  .max(1_000_000)
  .transform((value) => Math.round(value * 1_000_000))
  .describe('US dollars');

/** `host:port`; an IPv6 address is in brackets. */
export const address = (minPort: number) =>
  z
    .string()
    .refine((value) => {
      const [, port] = /^(?:\[[0-9a-fA-F:]+\]|[^\s:[\]]+):(\d{1,5})$/.exec(value) ?? [];
      return port !== undefined && Number(port) >= minPort && Number(port) <= 65_535;
    }, 'must be host:port')
    .describe('host:port');
