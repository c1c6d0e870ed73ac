import { stringify } from 'lossless-json';
import { CONNECTION_HEADERS } from '../../common/egress/connection-headers.js';
import { plainDecimal } from '../../common/text/exact-json.js';
import { ExactNumber } from './exact-number.js';
import type { ExactToolArguments } from './tool-arguments.js';
import { isVariableName, VariableNames } from '../variable-names.js';
import { fillPlaceholders, textOf, VARIABLE_PLACEHOLDER, type Variables } from '../variables.js';

/** A mid-call tool as the tenant configured it. */
export interface HttpToolSpec {
  readonly endpoint: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly bodyFormat: 'json' | 'form';
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly staticFields: readonly { readonly key: string; readonly value: string }[];
}

export interface HttpToolRequest {
  readonly url: string;
  readonly method: HttpToolSpec['method'];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** An argument or variable that would change where the request goes. Its message is for the model. */
export class UnsafeArgumentError extends Error {
  override readonly name = 'UnsafeArgumentError';
}

const NOT_ALLOWED = 'An argument is not allowed in the URL.';

/** `{{variable}}` or `{parameter}`: both in one pass, so that a value is never read as a placeholder. */
const PLACEHOLDER = new RegExp(String.raw`${VARIABLE_PLACEHOLDER}|\{([A-Za-z_]+)\}`, 'gu');
const VARIABLE = new RegExp(VARIABLE_PLACEHOLDER, 'gu');
/** Servers refuse longer ones. */
const MAX_URL_LENGTH = 8_192;
/**
 * Builds the request of a tool call. Arguments named in the URL are used there, percent-encoded; the others and the
 * static fields go to the query (GET, DELETE) or the body. No value can reach scheme, host or port, leave its path
 * segment, or start a header line.
 * Numbers arrive with the digits that the model wrote.
 *
 * @throws UnsafeArgumentError
 */
export function buildHttpToolRequest(
  spec: HttpToolSpec,
  args: ExactToolArguments,
  variables: Variables,
): HttpToolRequest {
  const { url, used } = fillUrl(spec.endpoint, args, variables);
  const fields = [
    ...Object.entries(args).filter(([name]) => !used.has(name)),
    ...spec.staticFields.map(({ key, value }) => [key, fillPlaceholders(value, variables)] as const),
  ];
  const headers = fillHeaders(spec.headers, variables);
  if (spec.method === 'GET' || spec.method === 'DELETE') {
    for (const [key, value] of fields) url.searchParams.set(key, written(value));
    return { url: url.href, method: spec.method, headers, body: undefined };
  }
  return {
    url: url.href,
    method: spec.method,
    headers: { 'content-type': contentTypeOf(spec.bodyFormat), ...headers },
    body: encodeBody(spec.bodyFormat, fields),
  };
}

function fillUrl(
  template: string,
  args: ExactToolArguments,
  variables: Variables,
): { url: URL; used: Set<string> } {
  const used = new Set<string>();
  const names = new VariableNames(variables);
  const valueOf = (variable: string | undefined, parameter: string | undefined): string => {
    if (variable !== undefined) return textOf(names.valueOf(variable));
    return written(parameter !== undefined && Object.hasOwn(args, parameter) ? args[parameter] : undefined);
  };
  const fill = (part: string, isSegment: boolean) =>
    part.replace(PLACEHOLDER, (_whole, sealed: string | undefined, parameter: string | undefined) => {
      const variable = sealed === undefined ? undefined : decodeURIComponent(sealed);
      if (parameter !== undefined) used.add(parameter);
      const value = valueOf(variable, parameter);
      if (isSegment && value === '') {
        throw new UnsafeArgumentError(`The value of "${variable ?? parameter}" is missing.`);
      }
      return encodeURIComponent(value.toWellFormed());
    });

  const endpoint = withSealedNames(template, names);
  const { path, query } = splitUrl(endpoint);
  const segments = path.split('/').map((segment) => {
    const filled = fill(segment, true);
    if (filled !== segment && isDotSegment(filled)) throw new UnsafeArgumentError(NOT_ALLOWED);
    return filled;
  });
  const filled = segments.join('/') + fill(query, false);
  if (filled.length > MAX_URL_LENGTH)
    throw new UnsafeArgumentError('The arguments are too long for the URL.');
  const origin = fixedOrigin(endpoint);
  if (origin === null || originOf(filled) !== origin) throw new UnsafeArgumentError(NOT_ALLOWED);
  return { url: new URL(filled), used };
}

/** With names of variables percent-encoded: a name such as `CPF/CNPJ` is no part of the structure of a URL. */
function withSealedNames(endpoint: string, names: VariableNames): string {
  return endpoint.replace(VARIABLE, (whole, written: string) => {
    const name = written.trim();
    const isName = names.find(name) !== null || isVariableName(name);
    return isName
      ? `{{${encodeURIComponent(name.toWellFormed())}}}`
      : whole.replace(/[{}]/g, encodeURIComponent);
  });
}

/** Path and query as a URL parser will see them: it drops line ends and tabs, and takes a backslash for a slash. */
function splitUrl(endpoint: string): { path: string; query: string } {
  const [beforeFragment = ''] = endpoint
    .replace(/[\t\n\r]/g, '')
    .trim()
    .split('#', 1);
  const queryStart = beforeFragment.indexOf('?');
  const path = queryStart === -1 ? beforeFragment : beforeFragment.slice(0, queryStart);
  return {
    path: path.replaceAll('\\', '/'),
    query: queryStart === -1 ? '' : beforeFragment.slice(queryStart),
  };
}

/** Scheme, host and port, when they contain no placeholder; null otherwise. */
function fixedOrigin(endpoint: string): string | null {
  const origin = originOf(endpoint.replace(PLACEHOLDER, '1'));
  return origin === originOf(endpoint.replace(PLACEHOLDER, '2')) ? origin : null;
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

/** `.` and `..` in any spelling a URL parser understands would climb out of the configured path. */
function isDotSegment(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment);
}

function fillHeaders(headers: HttpToolSpec['headers'], variables: Variables): Record<string, string> {
  const filled: Record<string, string> = {
    accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
    'user-agent': 'Prosa',
  };
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    if (!CONNECTION_HEADERS.has(key)) filled[key] = headerText(fillPlaceholders(value, variables));
  }
  return filled;
}

/** Header values are one line of Latin-1; what is outside is taken out, line ends above all. */
function headerText(value: string): string {
  return value.replace(/[^\t\x20-\x7e\x80-\xff]+/g, ' ').trim();
}

function contentTypeOf(format: HttpToolSpec['bodyFormat']): string {
  return format === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
}

function encodeBody(
  format: HttpToolSpec['bodyFormat'],
  fields: readonly (readonly [string, ExactToolArguments[string]])[],
): string {
  if (format === 'form')
    return new URLSearchParams(
      fields.map(([key, value]): [string, string] => [key, written(value)]),
    ).toString();
  for (const [name, value] of fields) {
    if (value instanceof ExactNumber && !value.isJson)
      throw new UnsafeArgumentError(`The argument "${name}" begins with a zero, which a number cannot keep.`);
  }
  const digits = { test: (value: unknown) => value instanceof ExactNumber, stringify: String };
  return stringify(Object.fromEntries(fields), undefined, undefined, [digits]) ?? '{}';
}

/** As text; numbers without an exponent. */
function written(value: ExactToolArguments[string] | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'number' ? plainDecimal(String(value)) : String(value);
}
