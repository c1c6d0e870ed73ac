import { cleanText } from '../../block.js';
import { LIMITS, type SearchLanguage } from '../../extraction.js';
import { languageOfTag } from '../../language.js';
import type { DecimalMark } from '../raised-text.js';
import {
  attributeOf,
  descendants,
  type HtmlDocument,
  type HtmlElement,
  isElement,
  textOf,
} from './html-tree.js';

export interface Refresh {
  readonly url: string;
  readonly delaySeconds: number;
}

/** What a page says of itself. */
export interface PageFacts {
  readonly title: string;
  readonly language: SearchLanguage;
  readonly decimalMark: DecimalMark;
  readonly base: string;
  readonly links: readonly string[];
  readonly canonicalUrl: string | null;
  /** Another page that it leads to by itself. */
  readonly refresh: Refresh | null;
  readonly css: string;
  readonly hasScripts: boolean;
  /** The text for readers without scripts. */
  readonly noscript: string;
}

const REFRESH = /^\s*(\d{1,6})(?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)"?|'([^']*)'?|(\S.*))$/is;
const DATA_SCRIPT = /json|template|x-/i;
/** Languages, and countries of a language, that write 1.5 for one and a half. */
const POINT = /^(?:en|ja|zh|ko|th|he|es-(?:mx|us|pr|gt|hn|ni|pa|do|sv))\b/i;
const MAX_NOSCRIPT = 1_000;

export function pageFactsOf(document: HtmlDocument, url: string): PageFacts {
  const found = new Collected();
  for (const node of descendants(document)) if (isElement(node)) found.add(node);
  const base = resolved(found.base, url) ?? url;
  const links = new Set(found.hrefs.map((href) => resolved(href, base)).filter((link) => link !== null));
  const refreshUrl = found.refresh && resolved(found.refresh.url, base);
  return {
    title: cleanText(found.title ?? ''),
    language: languageOfTag(found.lang),
    decimalMark: POINT.test(found.lang) ? '.' : ',',
    base,
    links: [...links].slice(0, LIMITS.links),
    canonicalUrl: resolved(found.canonical, base),
    refresh: found.refresh && refreshUrl !== null ? { ...found.refresh, url: refreshUrl } : null,
    css: found.css,
    hasScripts: found.hasScripts,
    noscript: found.noscript,
  };
}

class Collected {
  title: string | null = null;
  lang = '';
  base: string | null = null;
  canonical: string | null = null;
  refresh: Refresh | null = null;
  css = '';
  hasScripts = false;
  noscript = '';
  readonly hrefs: string[] = [];

  add(element: HtmlElement): void {
    switch (element.tagName) {
      case 'html':
        this.lang = attributeOf(element, 'lang') ?? attributeOf(element, 'xml:lang') ?? '';
        return;
      case 'title':
        // Pictures have titles, too.
        this.title ??= element.namespaceURI.endsWith('xhtml') ? textOf(element) : null;
        return;
      case 'base':
        this.base ??= attributeOf(element, 'href');
        return;
      case 'link':
        this.addLink(element);
        return;
      case 'meta':
        this.addMeta(element);
        return;
      case 'style':
        this.css += textOf(element);
        return;
      case 'script':
        this.hasScripts ||= !DATA_SCRIPT.test(attributeOf(element, 'type') ?? '');
        return;
      case 'noscript':
        if (this.noscript.length < MAX_NOSCRIPT)
          this.noscript += ` ${textOf(element)}`.slice(0, MAX_NOSCRIPT);
        return;
      case 'a':
      case 'area':
        this.addHref(attributeOf(element, 'href'));
        return;
      case 'frame':
        this.addHref(attributeOf(element, 'src'));
    }
  }

  private addHref(href: string | null): void {
    if (href !== null && this.hrefs.length < LIMITS.links * 3) this.hrefs.push(href);
  }

  private addLink(element: HtmlElement): void {
    const rel = attributeOf(element, 'rel') ?? '';
    if (/(?:^|\s)canonical(?:\s|$)/i.test(rel)) this.canonical ??= attributeOf(element, 'href');
  }

  private addMeta(element: HtmlElement): void {
    if (!/^refresh$/i.test(attributeOf(element, 'http-equiv') ?? '')) return;
    const [, delay, ...urls] = REFRESH.exec((attributeOf(element, 'content') ?? '').slice(0, 4_000)) ?? [];
    const url = urls.find((given) => given !== undefined)?.trim();
    if (delay !== undefined && url) this.refresh ??= { url, delaySeconds: Number(delay) };
  }
}

/** Null for what is no address, and for one longer than pages have, which stays in this process. */
function resolved(href: string | null, base: string): string | null {
  if (href === null || href.length > LIMITS.linkCharacters || !URL.canParse(href, base)) return null;
  const { href: address } = new URL(href, base);
  return address.length > LIMITS.linkCharacters ? null : address;
}
