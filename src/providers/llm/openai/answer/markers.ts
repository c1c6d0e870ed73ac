/**
 * The marks with which models set apart what is no answer, where their server does not take them out of the text: thoughts,
 * calls of tools, and tokens of the chat template.
 */
export interface Marker {
  readonly kind: 'thought' | 'call' | 'wrapper' | 'control' | 'harmony';
  /** An opening mark without a closing one covers the rest of the message. */
  readonly side: 'open' | 'close';
  /** Without the marks of begin and end, in lower case. */
  readonly name: string;
  /** Where the text continues. */
  readonly end: number;
}

/** `<`, `[` or `◁`. */
export const MARKER_START = /[<[◁]/;

/** Longer ones are no marks; attributes count. */
const MAX_MARKER_CHARS = 80;
const END_OF: Readonly<Record<string, string>> = { '<': '>', '[': ']', '◁': '▷' };

const THOUGHTS: ReadonlySet<string> = new Set([
  'think',
  'thinking',
  'thought',
  'thoughts',
  'reasoning',
  'reason',
  'analysis',
  'reflection',
  'scratchpad',
  'monologue',
  'inner_monologue',
  'inner_thoughts',
  'inner_thought',
  'internal_thoughts',
  'internal_thought',
  'internal_monologue',
]);
const CALLS: ReadonlySet<string> = new Set([
  'tool_call',
  'tool_calls',
  'toolcall',
  'toolcalls',
  'tool_calls_section',
  'tool_request',
  'tool_use',
  'tool_code',
  'tool_response',
  'tool_responses',
  'tool_output',
  'tool_outputs',
  'function_call',
  'function_calls',
  'function_results',
  'functioncall',
  'invoke',
  'python_tag',
]);
/** Around the answer of models that think; what is inside them is shown. */
const WRAPPERS: ReadonlySet<string> = new Set(['answer', 'final_answer', 'response', 'solution', 'final']);
/** Of chat templates, in the form `<|name|>`. */
const TOKENS: ReadonlySet<string> = new Set([
  'im_end',
  'im_start',
  'eot_id',
  'eom_id',
  'end',
  'endoftext',
  'end_of_text',
  'end_of_turn',
  'end_of_sentence',
  'begin_of_sentence',
  'begin_of_text',
  'start_of_turn',
  'eot',
  'eos',
  'return',
]);
/** The same without bars. */
const BARE_TOKENS: ReadonlySet<string> = new Set(['end_of_turn', 'eos']);
const HARMONY: ReadonlySet<string> = new Set(['channel', 'message', 'start', 'call', 'constrain']);
/** Marks that are words of their own in their models. */
const UNUSED: Readonly<Record<string, Marker['side']>> = { unused94: 'open', unused95: 'close' };

/**
 * Reads the mark that begins at `at`.
 *
 * @returns null for ordinary text, `partial` where the text ends before that is decided
 */
export function markerAt(text: string, at: number): Marker | 'partial' | null {
  const first = text.charAt(at);
  const last = END_OF[first] ?? '>';
  const limit = Math.min(text.length, at + MAX_MARKER_CHARS);
  let nameEnd = -1;
  for (let index = at + 1; index < limit; index++) {
    const char = text.charAt(index);
    if (char === last) {
      const name = text.slice(at + 1, nameEnd === -1 ? index : nameEnd);
      return markerOf(first, name, index + 1);
    }
    if (nameEnd !== -1) {
      if (char === '\n' || char === first) return null;
    } else if (isSpace(char)) {
      nameEnd = index;
      if (markerOf(first, text.slice(at + 1, index), index) === null) return null;
    } else if (!isNameChar(char, first)) return null;
  }
  return limit === text.length && limit < at + MAX_MARKER_CHARS ? 'partial' : null;
}

function markerOf(first: string, inner: string, end: number): Marker | null {
  if (first === '[' && inner !== inner.toUpperCase()) return null;
  const isToken = /^[|｜].*[|｜]$/.test(inner);
  // `<think/>`: a thought of nothing.
  if (inner.endsWith('/')) return { kind: 'control', side: 'open', name: '', end };
  const named = sideAndName(inner);
  if (named === null) return null;
  const { side, name } = named;
  const kind = kindOf(name, first, inner, isToken);
  return kind === null ? null : { kind, side, name, end };
}

/** `/think`, `|begin_of_thought|`, `｜tool▁calls▁end｜`, `seed:think`, `function=find_order`, `|channel`, `channel|`. */
function sideAndName(inner: string): { side: Marker['side']; name: string } | null {
  const isClosing = inner.startsWith('/') || inner.startsWith('|/') || /^[^|｜].*[|｜]$/.test(inner);
  const plain = inner.replaceAll(/[▁-]/g, '_').toLowerCase();
  const bare = plain
    .replaceAll(/[|｜/]+/g, ':')
    .split(':')
    .findLast((part) => part !== '');
  if (bare === undefined) return null;
  const unused = UNUSED[bare];
  if (unused) return { side: unused, name: 'think' };
  if (bare.startsWith('function=') || bare.startsWith('tool_call='))
    return { side: 'open', name: 'function' };
  if (bare === 'function') return { side: isClosing ? 'close' : 'open', name: 'function' };
  if (HARMONY.has(bare) || TOKENS.has(bare)) return { side: isClosing ? 'close' : 'open', name: bare };
  const begins = /^(?:begin_of_|begin_|start_of_|start_)|(?:_begin|_start)$/;
  const ends = /^(?:end_of_|end_)|_end$/;
  if (begins.test(bare)) return { side: 'open', name: bare.replace(begins, '') };
  if (ends.test(bare)) return { side: 'close', name: bare.replace(ends, '') };
  return { side: isClosing ? 'close' : 'open', name: bare };
}

function kindOf(name: string, first: string, inner: string, isToken: boolean): Marker['kind'] | null {
  if (first === '<' && name === 'channel' && !isToken && /^\||\|$/.test(inner)) return 'thought';
  if (first === '<' && isToken && HARMONY.has(name)) return 'harmony';
  // Words in square brackets are common in text.
  if (first === '[')
    return name === 'think' ? 'thought' : CALLS.has(name) && name.startsWith('tool') ? 'call' : null;
  if (THOUGHTS.has(name)) return 'thought';
  if (CALLS.has(name) || name === 'function' || (isToken && name === 'action')) return 'call';
  if (first !== '<') return null;
  if (WRAPPERS.has(name)) return 'wrapper';
  if (isToken) return TOKENS.has(name) ? 'control' : null;
  return BARE_TOKENS.has(name) ? 'control' : null;
}

function isNameChar(char: string, first: string): boolean {
  return /[A-Za-z0-9_▁:|｜/=.-]/.test(char) && !(first === '[' && /[a-z]/.test(char));
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\t' || char === '\r';
}
