import { attributeOf, type HtmlElement, isElement } from './html-tree.js';

const STRUCK_TAGS = new Set(['del', 's', 'strike']);
const LINE_THROUGH = /text-decoration(?:-line)?\s*:[^;}]*\bline-through\b/i;
/** Classes of the usual frameworks, and of old prices in shops. */
const STRUCK_CLASSES =
  /^(?:line-through|text-decoration-line-through|text-line-through|strike-?through|(?:old|was)-price|price-(?:old|was)|(?:preco|valor)-(?:antigo|anterior)|(?:antigo|anterior)-(?:preco|valor))$/i;
/** Style sheets within a page are small; more of them is not looked at. */
const MAX_CSS = 500_000;
const MAX_RULES = 100;
const MAX_RULE = 2_000;

interface Compound {
  readonly tag: string;
  readonly id: string;
  readonly classes: readonly string[];
}

/** From the outermost element to the one it is about. */
type Selector = readonly Compound[];

/** Tells text that is struck out: an old price, a word that no longer holds. */
export class StruckText {
  private readonly selectors: readonly Selector[];

  constructor(css: string) {
    this.selectors = struckSelectors(css.slice(0, MAX_CSS));
  }

  isStruck(element: HtmlElement): boolean {
    if (STRUCK_TAGS.has(element.tagName)) return true;
    if (element.attrs.length === 0 && this.selectors.length === 0) return false;
    const style = attributeOf(element, 'style');
    if (style !== null && LINE_THROUGH.test(style.slice(0, MAX_RULE))) return true;
    const classes = classesOf(element);
    if (classes.some((name) => STRUCK_CLASSES.test(name))) return true;
    return this.selectors.some((selector) => fits(element, selector));
  }
}

export function classesOf(element: HtmlElement): string[] {
  return (attributeOf(element, 'class') ?? '').split(/\s+/).filter((name) => name !== '');
}

/** Selectors of the rules that strike text out; those that say more than tags, classes and ids are left out. */
function struckSelectors(css: string): Selector[] {
  const selectors: Selector[] = [];
  let start = 0;
  for (
    let open = css.indexOf('{');
    open >= 0 && selectors.length < MAX_RULES;
    open = css.indexOf('{', start)
  ) {
    const close = css.indexOf('}', open);
    const end = close < 0 ? css.length : close;
    const nested = css.indexOf('{', open + 1);
    if (nested >= 0 && nested < end) {
      // A group of rules, such as @media: its own rules are looked at one by one.
      start = open + 1;
      continue;
    }
    if (LINE_THROUGH.test(css.slice(open, Math.min(end, open + MAX_RULE)))) {
      const names = css.slice(Math.max(start, open - 1_000), open);
      for (const name of withoutComments(names).split(',')) {
        const selector = selectorOf(name);
        if (selector) selectors.push(selector);
      }
    }
    start = end + 1;
  }
  return selectors;
}

function withoutComments(css: string): string {
  const end = css.lastIndexOf('*/');
  return end < 0 ? css : css.slice(end + 2);
}

function selectorOf(text: string): Selector | null {
  const compounds = text
    .replaceAll('>', ' ')
    .trim()
    .split(/\s+/)
    .map((part) => compoundOf(part));
  return compounds.every((compound) => compound !== null) ? compounds : null;
}

function compoundOf(text: string): Compound | null {
  if (!/^[a-z\d]*(?:[.#][\w-]+)*$/i.test(text) || text === '') return null;
  const tag = /^[a-z\d]*/i.exec(text)?.[0] ?? '';
  return {
    tag: tag.toLowerCase(),
    id: /#([\w-]+)/.exec(text)?.[1] ?? '',
    classes: Array.from(text.matchAll(/\.([\w-]+)/g), ([, name = '']) => name),
  };
}

function fits(element: HtmlElement, selector: Selector): boolean {
  const own = selector.at(-1);
  if (!own || !fitsCompound(element, own)) return false;
  let rest = selector.length - 2;
  for (let above = element.parentNode; above && rest >= 0;) {
    if (!('tagName' in above) || !isElement(above)) return false;
    const compound = selector[rest];
    if (compound && fitsCompound(above, compound)) rest--;
    above = above.parentNode;
  }
  return rest < 0;
}

function fitsCompound(element: HtmlElement, { tag, id, classes }: Compound): boolean {
  if (tag !== '' && tag !== element.tagName) return false;
  if (id !== '' && attributeOf(element, 'id') !== id) return false;
  if (classes.length === 0) return true;
  const own = classesOf(element);
  return classes.every((name) => own.includes(name));
}
