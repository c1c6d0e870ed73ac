import { attributeOf, descendants, type HtmlElement, type HtmlNode, isElement } from './html-tree.js';

export interface AssignedSlots {
  readonly assigned: ReadonlyMap<HtmlElement, readonly HtmlNode[]>;
  /** What no slot shows, which is read all the same. */
  readonly rest: readonly HtmlNode[];
}

/** Which slot of a shadow tree shows which nodes of the element. */
export function slotsOf(shadow: readonly HtmlNode[], light: readonly HtmlNode[]): AssignedSlots {
  const byName = new Map<string, HtmlNode[]>();
  for (const node of light) {
    const name = isElement(node) ? (attributeOf(node, 'slot') ?? '') : '';
    byName.set(name, [...(byName.get(name) ?? []), node]);
  }
  const assigned = new Map<HtmlElement, readonly HtmlNode[]>();
  for (const node of descendants({ childNodes: shadow })) {
    if (!isElement(node) || node.tagName !== 'slot') continue;
    const name = attributeOf(node, 'name') ?? '';
    const nodes = byName.get(name);
    // The first slot of a name shows them.
    if (nodes) assigned.set(node, nodes);
    byName.delete(name);
  }
  return { assigned, rest: [...byName.values()].flat() };
}
