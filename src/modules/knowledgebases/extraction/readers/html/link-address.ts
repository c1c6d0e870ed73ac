/** Longer addresses are those of trackers, which are useless in an answer. */
const MAX_SHOWN_ADDRESS = 300;
const MESSENGERS = /^(?:wa\.me|(?:api|web|chat)\.whatsapp\.com|m\.me|t\.me)$/;

/** What a link says beyond its text: the telephone, mailbox or chat it opens. Null for a link to a page. */
export function contactOf(href: string): string | null {
  const [, scheme = '', rest = ''] =
    /^\s*(tel|sms|mailto|whatsapp|callto|skype|geo):(.*)$/is.exec(href) ?? [];
  if (scheme !== '') {
    const address = decoded((/^[^?]*/.exec(rest)?.[0] ?? '').replace(/^\/\//, '')).trim();
    if (address !== '' && scheme.toLowerCase() !== 'whatsapp') return address;
    const phone = /[?&]phone=([^&]+)/.exec(rest)?.[1];
    return phone === undefined ? null : decoded(phone);
  }
  if (!URL.canParse(href)) return null;
  const { hostname, href: address } = new URL(href);
  return MESSENGERS.test(hostname) && address.length <= MAX_SHOWN_ADDRESS ? address : null;
}

/** The address of a page as it is shown, absolute; null for one that says nothing: a part of the same page, a script. */
export function pageAddressOf(href: string, base: string, page: string): string | null {
  if (href.startsWith('#') || !URL.canParse(href, base)) return null;
  const url = new URL(href, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (url.href.length > MAX_SHOWN_ADDRESS || withoutHash(url.href) === withoutHash(page)) return null;
  return url.href;
}

/** Whether a text names the address already, in one of the ways in which people write it. */
function names(text: string, address: string): boolean {
  const digits = address.replace(/\D/g, '');
  // The digits of a telephone number, with or without country and area.
  if (/^\+?[\d\s().-]+$/.test(address)) {
    return digits.length >= 4 && text.replace(/\D/g, '').includes(digits.slice(-8));
  }
  const bare = (value: string) =>
    value
      .toLowerCase()
      .replace(/^https?:\/\/(?:www\.)?/, '')
      .replace(/\/$/, '');
  return text.toLowerCase().includes(bare(address));
}

/** What is added behind the text of a link: the address, unless the text names it. */
export function addressBehind(words: string, address: string, label = ''): string {
  if (names(words, address)) return '';
  if (words.trim() !== '') return ` (${address})`;
  return label === '' || names(label, address) ? `${label || address} ` : `${label} (${address}) `;
}

/** An address that Cloudflare has hidden from robots: the first byte is the key of the others. */
export function unhiddenEmail(hidden: string): string | null {
  const bytes = Buffer.from(hidden, 'hex');
  const key = bytes[0];
  if (key === undefined || bytes.length < 4 || bytes.length * 2 !== hidden.length) return null;
  const address = Buffer.from(bytes.subarray(1).map((byte) => byte ^ key)).toString('utf8');
  return address.includes('@') ? address : null;
}

export function withoutHash(address: string): string {
  return address.replace(/#.*$/s, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign: as it is written.
    return text;
  }
}
