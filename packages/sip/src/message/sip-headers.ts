/** Compact forms, RFC 3261 §7.3.3 and the RFCs that define the header fields. */
const COMPACT: Readonly<Record<string, string>> = {
  b: 'referred-by',
  c: 'content-type',
  e: 'content-encoding',
  f: 'from',
  i: 'call-id',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  o: 'event',
  r: 'refer-to',
  s: 'subject',
  t: 'to',
  u: 'allow-events',
  v: 'via',
  x: 'session-expires',
};

/** Header fields whose value is a comma-separated list; each element is kept as a value of its own. */
const LISTS: ReadonlySet<string> = new Set([
  'accept',
  'allow',
  'allow-events',
  'contact',
  'proxy-require',
  'record-route',
  'require',
  'route',
  'supported',
  'unsupported',
  'via',
]);

/** Lists of name-addrs, whose display names may have commas that should be in quotes. */
const NAME_LISTS: ReadonlySet<string> = new Set(['contact', 'record-route', 'route']);

/** How names are written whose capitals do not follow from the hyphens. */
const WRITTEN: Readonly<Record<string, string>> = {
  'call-id': 'Call-ID',
  cseq: 'CSeq',
  'min-se': 'Min-SE',
  rack: 'RAck',
  rseq: 'RSeq',
  'www-authenticate': 'WWW-Authenticate',
};

/** The canonical name of a header field: lower case, never compact. */
export function canonicalHeaderName(name: string): string {
  const lower = name.toLowerCase();
  return lower.length === 1 ? (COMPACT[lower] ?? lower) : lower;
}

export function isListHeader(canonicalName: string): boolean {
  return LISTS.has(canonicalName);
}

export function isNameListHeader(canonicalName: string): boolean {
  return NAME_LISTS.has(canonicalName);
}

/**
 * The header fields of a message, by canonical name (RFC 3261 §7.3). Values of the same field keep their order; the order
 * of different fields means nothing.
 *
 * Values hold one character per byte (Latin-1), so that the bytes of a peer go back to it unchanged.
 */
export class SipHeaders {
  private readonly fields = new Map<string, string[]>();

  /** The first value. */
  get(name: string): string | undefined {
    return this.fields.get(name)?.[0];
  }

  all(name: string): readonly string[] {
    return this.fields.get(name) ?? [];
  }

  has(name: string): boolean {
    return this.fields.has(name);
  }

  set(name: string, value: string | number | readonly string[]): this {
    const values = typeof value === 'object' ? [...value] : [String(value)];
    if (values.length === 0) this.fields.delete(name);
    else this.fields.set(name, values);
    return this;
  }

  append(name: string, value: string): this {
    const values = this.fields.get(name);
    if (values) values.push(value);
    else this.fields.set(name, [value]);
    return this;
  }

  prepend(name: string, value: string): this {
    return this.set(name, [value, ...this.all(name)]);
  }

  replaceFirst(name: string, value: string): this {
    return this.set(name, [value, ...this.all(name).slice(1)]);
  }

  delete(name: string): this {
    this.fields.delete(name);
    return this;
  }

  /** Whether a list such as Supported or Allow names the token, ignoring case. */
  lists(name: string, token: string): boolean {
    const wanted = token.toLowerCase();
    return this.all(name).some((value) => value.toLowerCase() === wanted);
  }

  entries(): IterableIterator<[string, string[]]> {
    return this.fields.entries();
  }

  clone(): SipHeaders {
    const copy = new SipHeaders();
    for (const [name, values] of this.fields) copy.fields.set(name, [...values]);
    return copy;
  }
}

export function writtenHeaderName(canonicalName: string): string {
  return (
    WRITTEN[canonicalName] ??
    canonicalName
      .split('-')
      .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
      .join('-')
  );
}
