import { IsString, MaxLength, ValidateBy } from 'class-validator';
import { isMaskedUrl } from '../../text/masked.js';
import { EachItem, field, type FieldOptions, issueText, type ListOptions } from './field.js';
import { distinctItems } from './list-fields.js';

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

const MAX_ORIGIN = 255;

/** Distinct origins of pages, as browsers send them: scheme, host and port, nothing after. */
export function OriginsField(options: ListOptions = {}): PropertyDecorator {
  return distinctItems(
    { maxItems: 50, ...options },
    { items: { type: 'string', maxLength: MAX_ORIGIN, example: 'https://shop.example' } },
    EachItem('areOrigins', isOrigin, 'validation.origins'),
  );
}

function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_ORIGIN || !/^https?:/.test(value)) return false;
  return URL.canParse(value) && new URL(value).origin === value;
}
