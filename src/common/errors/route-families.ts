import type { Language } from '../../i18n/text.js';
import type { ErrorKind } from './domain-error.js';

/** What a filter knows once words are chosen. */
export interface RenderedError {
  readonly kind: ErrorKind | 'internal';
  readonly message: string;
  readonly fields?: Readonly<Record<string, string[]>>;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
}

interface RouteFamily {
  readonly path: RegExp;
  readonly language: Language;
  readonly body: (error: RenderedError) => object;
}

const messageBody = ({ message }: RenderedError) => ({ message });
const errorBody = ({ message }: RenderedError) => ({ error: message });
const statusBody = ({ message }: RenderedError) => ({ status: false, error: message });

/** Answers in `own` shape, except for what no route has found a resource for yet: authentication, limits, faults. */
const forResource =
  (own: (error: RenderedError) => object) =>
  (error: RenderedError): object =>
    ['unauthorized', 'too-many', 'internal', 'malformed', 'timeout', 'too-large'].includes(error.kind)
      ? messageBody(error)
      : own(error);

/** The error shapes of the customer's document, one row a family; the first match wins. */
const FAMILIES: readonly RouteFamily[] = [
  { path: /^\/api\/(conversations|web-calls|widget)(\/|$)/, language: 'en', body: statusBody },
  {
    path: /^\/api\/automate(\/|$)/,
    language: 'pt',
    body: (error) => (error.kind === 'unauthorized' ? errorBody(error) : statusBody(error)),
  },
  {
    path: /^\/api\/user\/(phone-numbers|knowledgebases)(\/|$)/,
    language: 'pt',
    body: forResource(errorBody),
  },
  {
    path: /^\/api\/user\/campaigns\/update-status\/?$/,
    language: 'pt',
    body: forResource(({ message, data }) => ({ message, success: false, ...(data ? { data } : {}) })),
  },
  { path: /^/, language: 'pt', body: messageBody },
];

/** The router does not care for case. */
function familyOf(path: string): RouteFamily {
  const family = FAMILIES.find((candidate) => candidate.path.test(path.toLowerCase()));
  if (!family) throw new Error('the last route family matches every path');
  return family;
}

/**
 * A header by which our own pages ask for the texts of errors in the language of their reader. Not `Accept-Language`, which browsers
 * send by themselves: the contract fixes the language of each route for all who do not ask.
 */
export const LANGUAGE_HEADER = 'x-prosa-language';

/** The language in which a request is refused. */
export function languageOfRequest(path: string, wanted: unknown): Language {
  return wanted === 'pt' || wanted === 'en' ? wanted : languageOf(path);
}

/** The language of a route's texts. */
export function languageOf(path: string): Language {
  return familyOf(path).language;
}

/** The body of an error on a route. A validation body is the same everywhere. */
export function errorBodyFor(path: string, error: RenderedError): object {
  if (error.fields) return { message: error.message, errors: error.fields };
  const body = familyOf(path).body(error);
  // Clients of the API family read how long to wait from the body.
  const isWaiting = error.kind === 'too-many' && error.retryAfterSeconds !== undefined;
  return isWaiting ? { ...body, retry_after: error.retryAfterSeconds } : body;
}
