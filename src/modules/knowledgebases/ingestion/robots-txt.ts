import { MAX_ADDRESS_LENGTH } from './page-url.js';

/** Rules of one group that are looked at; sites have some dozens. */
const MAX_RULES = 2_000;

interface Rule {
  /** The texts between the wildcards, in order. */
  readonly parts: readonly string[];
  /** The pattern ends with `$`: so does the path. */
  readonly isWhole: boolean;
  readonly isAllowed: boolean;
  /** Characters of the pattern: of two rules that match, the longer one holds. */
  readonly length: number;
}

interface Group {
  readonly rules: Rule[];
  crawlDelaySeconds: number;
}

/**
 * What a site's robots.txt permits one robot (RFC 9309). The file is untrusted. Only the groups of this robot and of
 * all robots are kept. The time to match grows with the length of rules and path, for any number of wildcards.
 */
export class RobotsTxt {
  private readonly group: Group | null;

  /** @param robot the name without version, by which sites address it */
  constructor(content: string, robot: string) {
    const groups = groupsOf(content, [robot.toLowerCase(), '*']);
    this.group = groups.get(robot.toLowerCase()) ?? groups.get('*') ?? null;
  }

  get crawlDelaySeconds(): number {
    return this.group?.crawlDelaySeconds ?? 0;
  }

  /** Of rules that match, the longest holds; of two as long as each other, the one that allows. */
  permits(address: string): boolean {
    const { pathname, search } = new URL(address);
    const path = inUpperCaseEscapes(pathname + search);
    let holds: Rule | null = null;
    for (const rule of this.group?.rules ?? []) {
      const isWeaker =
        holds !== null && (rule.length < holds.length || (rule.length === holds.length && !rule.isAllowed));
      if (!isWeaker && matches(rule, path)) holds = rule;
    }
    return holds?.isAllowed ?? true;
  }
}

/** The groups of the named robots. One that is named several times has one group with all that is said to it. */
function groupsOf(content: string, robots: readonly string[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  let addressed = new Set<string>();
  let isNaming = false;
  for (const [name, value] of linesOf(content)) {
    if (name === 'user-agent') {
      if (!isNaming) addressed = new Set();
      const robot = value.toLowerCase().split('/', 1)[0]?.trim() ?? '';
      if (robots.includes(robot)) addressed.add(robot);
    } else {
      for (const robot of addressed) {
        const group = groups.get(robot) ?? { rules: [], crawlDelaySeconds: 0 };
        if (addLine(group, name, value)) groups.set(robot, group);
      }
    }
    isNaming = name === 'user-agent';
  }
  return groups;
}

/** Whether the line says anything to a robot; what is said to no robot, such as `Sitemap`, begins no group. */
function addLine(group: Group, name: string, value: string): boolean {
  if (name === 'crawl-delay') {
    const seconds = Number(value);
    if (seconds >= 0) group.crawlDelaySeconds = seconds;
    return true;
  }
  if (name !== 'allow' && name !== 'disallow') return false;
  const rule = group.rules.length < MAX_RULES ? ruleOf(value, name === 'allow') : null;
  if (rule) group.rules.push(rule);
  return true;
}

/** Name, in lower case, and value of each line that has both. */
function* linesOf(content: string): Generator<[name: string, value: string]> {
  for (const line of content.split(/\r\n|\r|\n/)) {
    const [text = ''] = line.split('#', 1);
    const colon = text.indexOf(':');
    if (colon > 0) yield [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()];
  }
}

/** Null for an empty pattern, which says nothing, and for one longer than any path that is asked for. */
function ruleOf(value: string, isAllowed: boolean): Rule | null {
  const pattern = encoded(value);
  const { length } = pattern;
  if (length === 0 || length > MAX_ADDRESS_LENGTH) return null;
  const isWhole = pattern.endsWith('$');
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split(/\*+/);
  return { parts, isWhole, isAllowed, length };
}

/** Each part at the first place where it fits leaves most to those behind it, so that no other needs to be tried. */
function matches({ parts, isWhole }: Rule, path: string): boolean {
  const [first = '', ...others] = parts;
  if (!path.startsWith(first)) return false;
  const last = isWhole ? others.pop() : undefined;
  if (isWhole && last === undefined) return path.length === first.length;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return last === undefined || (path.length - last.length >= at && path.endsWith(last));
}

/** A pattern as addresses are written: what is not ASCII is escaped, and what is escaped already stays. */
function encoded(pattern: string): string {
  try {
    return inUpperCaseEscapes(encodeURI(pattern).replaceAll('%25', '%'));
  } catch {
    // Half of a surrogate pair, which no address has.
    return pattern;
  }
}

function inUpperCaseEscapes(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, (escape) => escape.toUpperCase());
}
