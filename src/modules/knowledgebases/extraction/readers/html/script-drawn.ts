import type { Block } from '../../block.js';
import { attributeOf, descendants, type HtmlDocument, isElement } from './html-tree.js';
import type { FactsOf } from './node-facts.js';
import type { PageFacts } from './page-facts.js';

const LOADING =
  /^\W*(?:carregando|aguarde|um momento|só um instante|redirecionando|loading|please wait|just a moment|one moment|redirecting|cargando|espere|redirigiendo|chargement|laden|caricamento)(?!\p{L})/iu;
const MAX_LOADING = 120;
const NEEDS_SCRIPTS = /java\s?script/i;
const APP = /^(?:root|app|__next|__nuxt|___gatsby|q-app|main-app|react-root|svelte)$/;
const APP_ATTRIBUTES = ['ng-version', 'data-reactroot', 'ng-app', 'data-server-rendered'];
/** A page with less text than this around its empty application is a frame without its content. */
const MIN_TEXT = 200;
const MAX_EMPTY = 40;

/** Text of a page that is drawn by scripts: `none` of it is there, or only what is around it. */
export type DrawnText = 'none' | 'frame' | 'all';

export function drawnTextOf(
  document: HtmlDocument,
  blocks: readonly Block[],
  {
    hasScripts,
    noscript,
    factsOf,
  }: Pick<PageFacts, 'hasScripts' | 'noscript'> & { readonly factsOf: FactsOf },
): DrawnText {
  const length = blocks.reduce((sum, { text }) => sum + text.length, 0);
  // Nothing at all is a reason of its own.
  if (length === 0) return 'all';
  if (length <= MAX_LOADING && LOADING.test(blocks[0]?.text ?? '')) return 'none';
  if (!hasScripts) return 'all';
  if (hasEmptyApp(document, factsOf)) return length < MIN_TEXT ? 'none' : 'frame';
  const isWanting = NEEDS_SCRIPTS.test(noscript) && length < MIN_TEXT;
  return isWanting ? 'frame' : 'all';
}

function hasEmptyApp(document: HtmlDocument, factsOf: FactsOf): boolean {
  for (const node of descendants(document)) {
    if (!isElement(node)) continue;
    const isApp =
      APP.test(attributeOf(node, 'id') ?? '') ||
      node.tagName === 'app-root' ||
      APP_ATTRIBUTES.some((name) => attributeOf(node, name) !== null);
    if (isApp && node.tagName !== 'body' && node.tagName !== 'html')
      return factsOf(node).characters < MAX_EMPTY;
  }
  return false;
}
