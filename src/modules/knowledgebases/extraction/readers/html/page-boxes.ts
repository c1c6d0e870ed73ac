import { attributeOf, type HtmlElement } from './html-tree.js';
import type { NodeFacts } from './node-facts.js';

/** Share of the text in links to pages, beyond which a box leads to text and has none of its own. */
const NAVIGATION_SHARE = 0.8;
const NAV_ELEMENT_SHARE = 0.5;
/** Prices, hours and telephones have more digits than a menu does. */
const MAX_NAVIGATION_DIGITS = 3;
const MAX_NOTICE = 3_000;
const MAX_TOOL_FORM = 200;

const NAVIGATION =
  /(?:^|[\s_-])(?:nav|navbar|navigation|menu|submenu|breadcrumbs?|migalhas|pagination|pager|sidebar|skip-links?|social|share)(?:$|[\s_-])/i;
const COOKIE = /cookie|consent|gdpr|lgpd|onetrust|didomi|usercentrics/i;
const NOTICE =
  /notice|banner|bar\b|popup|modal|consent|dialog|wall|box|alert|message|overlay|aviso|container|bot|sdk/i;
const TOOL_FORM = /search|busca|pesquisa|buscar|login|newsletter/i;
const ICON = /^(?:material-(?:icons|symbols)|icon-ligature)/;

/** What repeats on the pages of a site and leads elsewhere: its menus. */
export function isNavigation(element: HtmlElement, facts: NodeFacts): boolean {
  if (facts.characters === 0 || (facts.pageLinks === 0 && element.tagName !== 'nav')) return false;
  const share = facts.linkCharacters / facts.characters;
  if (element.tagName === 'nav' || attributeOf(element, 'role') === 'navigation') {
    return share >= NAV_ELEMENT_SHARE || facts.digits === 0;
  }
  const isNamed = element.tagName === 'aside' || NAVIGATION.test(namesOf(element));
  return isNamed && share >= NAVIGATION_SHARE && facts.digits <= MAX_NAVIGATION_DIGITS;
}

/** A list that leads to other pages: their addresses would be longer than what it says. */
export function isLinkList({ pageLinks, linkCharacters, characters }: NodeFacts): boolean {
  return pageLinks >= 4 && linkCharacters >= characters * 0.9;
}

/** A notice on cookies, or a form to search or to sign in: for visitors, not about what the page is about. */
export function isNotice(element: HtmlElement, facts: NodeFacts): boolean {
  if (facts.hasMainHeading || element.tagName === 'body' || element.tagName === 'html') return false;
  const names = namesOf(element);
  if (COOKIE.test(names) && NOTICE.test(names)) return facts.characters <= MAX_NOTICE;
  const isTool = element.tagName === 'search' || attributeOf(element, 'role') === 'search';
  const isToolForm = isTool || (element.tagName === 'form' && TOOL_FORM.test(names));
  return isToolForm && facts.characters <= MAX_TOOL_FORM;
}

/** The name of a picture in a font of icons. */
export function isIcon(element: HtmlElement): boolean {
  return (
    (element.tagName === 'i' || element.tagName === 'span') && ICON.test(attributeOf(element, 'class') ?? '')
  );
}

/** A button whose text is a question or a title: it opens a part of the page. */
export function isDisclosure(button: HtmlElement, text: string): boolean {
  if (/\?\s*$/.test(text)) return true;
  if (attributeOf(button, 'role') === 'tab') return true;
  const opens = [
    'aria-expanded',
    'aria-controls',
    'data-bs-toggle',
    'data-toggle',
    'data-target',
    'data-accordion',
  ];
  return (
    opens.some((name) => attributeOf(button, name) !== null) ||
    /accord|faq|collaps|question|pergunta/i.test(namesOf(button))
  );
}

/** A table that only arranges a page, as old pages and mails do. */
export function isLayoutTable(element: HtmlElement, facts: NodeFacts): boolean {
  const role = attributeOf(element, 'role');
  return role === 'presentation' || role === 'none' || facts.hasTable || facts.hasHeading;
}

function namesOf(element: HtmlElement): string {
  const { attrs } = element;
  if (attrs.length === 0) return '';
  const names = ['class', 'id', 'aria-label', 'role'].map((name) => attributeOf(element, name) ?? '');
  // `mainMenu` is the menu that is main.
  return names.join(' ').replace(/([a-z])([A-Z])/g, '$1-$2');
}
