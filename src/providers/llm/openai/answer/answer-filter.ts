import type { ToolDefinition } from '../../chat-model.js';
import { JsonTracker } from './json-tracker.js';
import { type Marker, markerAt, MARKER_START } from './markers.js';
import { phrasedThoughtIn } from './phrased-thought.js';
import { ShownText } from './shown-text.js';
import { callsIn, looksLikeCall, mayBeCall, type TextCall } from './text-calls.js';

/** Where something else than plain words may begin. */
const SPECIAL = /[<[◁`{]/;
const SPECIAL_IN_CODE = /[<`\n]/;
const MAX_TICKS = 30;
const FENCE = /^`{3,30}([\w-]{0,30})[ \t]{0,8}\r?\n\s{0,20}(?=\S)/;
const FENCE_BEGINNING = /^`{3,30}[\w-]{0,30}[ \t]{0,8}\r?(?:\n\s{0,20})?$/;
const FENCE_END = '```';
const CALL_LANGUAGES: ReadonlySet<string> = new Set([
  'tool_call',
  'tool_calls',
  'tool_code',
  'tool_use',
  'function_call',
]);
const JSON_LANGUAGES: ReadonlySet<string> = new Set(['', 'json', 'jsonc', 'tool']);
const MAX_COLLECTED_CHARS = 100_000;
const MAX_HEADER_CHARS = 300;

type State = 'beginning' | 'answer' | 'thought' | 'call' | 'json' | 'header';

/** What ends a hidden part: the mark of that name, or words. */
interface HiddenEnd {
  readonly mark: string;
  readonly words: string | null;
}

export interface AnswerFilterOptions {
  /** Those that may be called. */
  readonly tools: readonly ToolDefinition[];
  /** Whether text is kept back until the end of a thought, or of the answer. */
  readonly isHolding: boolean;
  /** The model is known to begin with a thought that it only ends. */
  readonly expectsThought: boolean;
}

/**
 * Takes thoughts, calls that were written as text, and tokens of chat templates out of an answer that comes in pieces.
 * Text without any mark passes at once. Marks within code, and marks that a sentence mentions without closing them, are
 * words.
 */
export class AnswerFilter {
  private readonly answer: ShownText;
  private state: State = 'beginning';
  /** Not decided yet: the beginning of a mark, at most. */
  private pending = '';
  private calls: TextCall[] = [];
  private hasMetLoneEnd = false;

  /** Of the thought, call or JSON that is being read. */
  private collected = '';
  private hiddenEnd: HiddenEnd = { mark: '', words: null };
  private isMention = false;
  private fence = '';
  private json = new JsonTracker();

  constructor(private readonly options: AnswerFilterOptions) {
    this.answer = new ShownText(options.isHolding);
  }

  /** Whether the answer began with a thought that it only ended. */
  get hasLoneEnd(): boolean {
    return this.hasMetLoneEnd;
  }

  /** Whether all text that was shown before was a thought; true once. */
  takeRetraction(): boolean {
    return this.answer.takeRetraction();
  }

  /** @returns what may be shown now */
  push(delta: string): string {
    const isPlain = this.state === 'answer' && this.pending === '' && this.answer.isPlain;
    if (isPlain && !SPECIAL.test(delta)) this.answer.add(delta);
    else {
      this.pending += delta;
      this.scan(false);
    }
    return this.answer.take();
  }

  /** The server tells thoughts apart itself: what was kept back is the answer. */
  stopHolding(): void {
    this.answer.release();
  }

  /**
   * @param isCut whether the answer ended at a limit, so that what is open is no mention
   * @returns what may be shown at last, and the calls that the model has written
   */
  end(isCut: boolean): { readonly text: string; readonly calls: readonly TextCall[] } {
    this.scan(true);
    if (this.state === 'json') this.endJson(false, isCut);
    this.scan(true);
    if (this.state === 'call') this.endCall(false, isCut);
    else if (this.state === 'thought' && this.isMention && !isCut) this.answer.add(this.collected);
    // The end of the thought did not come.
    if (isCut && this.options.expectsThought && this.answer.isHolding) this.answer.forget();
    this.answer.release();
    return { text: this.answer.take(), calls: this.calls };
  }

  private scan(isEnd: boolean): void {
    for (;;) {
      const { state, pending } = this;
      if (pending === '') return;
      if (state === 'beginning') this.scanBeginning(isEnd);
      else if (state === 'answer') this.scanAnswer(isEnd);
      else if (state === 'json') this.scanJson();
      else if (this.hiddenEnd.words !== null) this.scanToWords(this.hiddenEnd.words, isEnd);
      else this.scanHidden(isEnd);
      if (this.pending.length === pending.length && this.state === state) return;
    }
  }

  private scanBeginning(isEnd: boolean): void {
    const thought = phrasedThoughtIn(this.pending);
    if (thought === 'partial' && !isEnd) return;
    this.state = 'answer';
    if (thought !== null && thought !== 'partial') this.hide('thought', { mark: '', words: thought.end }, '');
  }

  private scanAnswer(isEnd: boolean): void {
    const at = this.pending.search(this.answer.code.isCode ? SPECIAL_IN_CODE : SPECIAL);
    if (at !== 0) return this.show(at === -1 ? this.pending.length : at);
    const char = this.pending.charAt(0);
    if (char === '`') return this.meetTicks(isEnd);
    if (char === '{') return this.meetBrace(isEnd);
    if (char !== '\n') return this.meetMark(char, isEnd);
    this.answer.code.endLine();
    this.show(1);
  }

  private meetTicks(isEnd: boolean): void {
    const { code, isLineStart } = this.answer;
    const count = /^`{1,30}/.exec(this.pending)?.[0].length ?? 1;
    if (count === this.pending.length && count < MAX_TICKS && !isEnd) return;
    if (count >= 3 && !code.isCode && isLineStart && this.options.tools.length > 0) {
      const fence = FENCE.exec(this.pending);
      if (!fence && !isEnd && FENCE_BEGINNING.test(this.pending)) return;
      if (fence && this.meetFence(fence[0], (fence[1] ?? '').toLowerCase())) return;
    }
    code.addTicks(count, isLineStart);
    this.show(count);
  }

  /** @returns whether a call may be in it, which is read then */
  private meetFence(fence: string, language: string): boolean {
    if (CALL_LANGUAGES.has(language)) {
      this.hide('call', { mark: '', words: FENCE_END }, this.consume(fence.length));
      return true;
    }
    // What is not here yet is decided on when the JSON is whole.
    if (!JSON_LANGUAGES.has(language) || mayBeCall(this.pending.slice(fence.length)) === false) return false;
    this.beginJson(this.consume(fence.length));
    return true;
  }

  private meetBrace(isEnd: boolean): void {
    const isCall = this.options.tools.length > 0 && mayBeCall(this.pending);
    if (isCall === 'partial' && !isEnd) return;
    if (isCall === true) this.beginJson('');
    else this.show(1);
  }

  private meetMark(char: string, isEnd: boolean): void {
    if (char === '[' && this.options.tools.length > 0) {
      const list = this.listKind();
      if (list === 'json') return this.beginJson('');
      if (list === 'call') return this.hide('call', { mark: '', words: null }, this.consume(1));
      if (list === 'partial' && !isEnd) return;
    }
    const marker = markerAt(this.pending, 0);
    if (marker === 'partial' && !isEnd) return;
    if (marker === null || marker === 'partial') return this.show(1);
    // Whether a lone end is a word shows in what follows it.
    const isLast = marker.end === this.pending.length && !isEnd;
    if (isLast && marker.kind === 'thought' && marker.side === 'close' && !this.answer.isHolding) return;
    this.meet(marker);
  }

  /** Whether a bracket begins a list of calls, as JSON or as Python. */
  private listKind(): 'json' | 'call' | 'partial' | null {
    const isCall = mayBeCall(this.pending);
    if (isCall !== false) return isCall === true ? 'json' : 'partial';
    const [, name = '', next = ''] = /^\[\s{0,20}([\w-]{1,64})(.?)/s.exec(this.pending) ?? [];
    const { tools } = this.options;
    if (next === '(') return tools.some((tool) => tool.name === name) ? 'call' : null;
    return name !== '' && next === '' && tools.some((tool) => tool.name.startsWith(name)) ? 'partial' : null;
  }

  private meet(marker: Marker): void {
    const { code, isHolding, isLineStart } = this.answer;
    const isThoughtEnd = marker.kind === 'thought' && marker.side === 'close';
    const endsHeld = isThoughtEnd && isHolding && (isLineStart || this.options.expectsThought);
    if (code.isCode && !endsHeld) return this.show(marker.end);
    if (isThoughtEnd && this.isWord(marker)) return this.show(marker.end);
    const mark = this.consume(marker.end);
    if (isThoughtEnd) this.endLoneThought();
    else if (marker.side === 'open' && (marker.kind === 'thought' || marker.kind === 'call'))
      this.hide(marker.kind, { mark: marker.name, words: null }, mark);
    else if (beginsHeader(marker)) this.hide('header', { mark: '', words: null }, '');
    else this.answer.closeGap();
  }

  /** `… the </think> tag …` of a model that is not known to think so. */
  private isWord({ end }: Marker): boolean {
    const { isHolding, isLineStart, endsWithSpace } = this.answer;
    return !isHolding && !isLineStart && endsWithSpace && this.pending.charAt(end) === ' ';
  }

  /** All text so far was a thought, whose beginning is in the chat template. */
  private endLoneThought(): void {
    this.hasMetLoneEnd = true;
    this.calls = [];
    this.answer.forget();
    this.resume();
  }

  private resume(): void {
    this.state = 'answer';
    this.collected = '';
    this.answer.closeGap();
  }

  private hide(state: 'thought' | 'call' | 'header', end: HiddenEnd, mark: string): void {
    this.state = state;
    this.hiddenEnd = end;
    this.collected = mark;
    this.isMention = !this.answer.isLineStart;
  }

  /** Within a thought, a call, or the header of a message: text up to the mark that ends it. */
  private scanHidden(isEnd: boolean): void {
    const at = this.pending.search(MARKER_START);
    if (at !== 0) return this.collect(this.consume(at === -1 ? this.pending.length : at));
    const marker = markerAt(this.pending, 0);
    if (marker === 'partial' && !isEnd) return;
    if (marker === null || marker === 'partial') return this.collect(this.consume(1));
    const mark = this.consume(marker.end);
    if (!this.endsAt(marker)) return this.collect(mark);
    if (this.state === 'header') this.endHeader();
    else if (this.state === 'thought') this.endThought();
    else if (marker.kind === 'thought') this.endLoneThought();
    else this.endCall(true, false);
    if (beginsHeader(marker)) this.hide('header', { mark: '', words: null }, '');
  }

  private endsAt({ kind, side, name }: Marker): boolean {
    if (this.state === 'header') return kind === 'harmony' && name === 'message';
    if (kind === 'harmony') return name !== 'constrain' && name !== 'message';
    if (kind === 'control') return true;
    if (kind === 'thought') return side === 'close';
    return this.state === 'call' && side === 'close' && name === this.hiddenEnd.mark;
  }

  private scanToWords(words: string, isEnd: boolean): void {
    const at = this.pending.indexOf(words);
    if (at === -1) {
      const undecided = isEnd ? 0 : words.length - 1;
      return this.collect(this.consume(Math.max(0, this.pending.length - undecided)));
    }
    this.collect(this.consume(at));
    this.consume(words.length);
    if (this.state === 'call') this.endCall(true, false);
    else this.resume();
  }

  private endThought(): void {
    // A thought about marks, whose own beginning is in the chat template.
    if (
      this.answer.isHolding &&
      (this.options.expectsThought || (this.isMention && this.answer.hasHeldWords))
    )
      return this.endLoneThought();
    this.answer.release();
    this.resume();
  }

  private endHeader(): void {
    const header = this.collected;
    const end = { mark: '', words: null };
    if (/\bto=|functions\./.test(header)) this.hide('call', end, header);
    else if (header.includes('analysis')) this.hide('thought', end, '');
    else this.resume();
    this.isMention = false;
    this.answer.release();
  }

  private endCall(isClosed: boolean, isCut: boolean): void {
    const { collected } = this;
    const calls = callsIn(collected, this.options.tools);
    this.resume();
    this.calls.push(...calls);
    if (calls.length === 0 && this.isMention && !isClosed && !isCut) this.answer.add(collected);
  }

  private beginJson(fence: string): void {
    this.state = 'json';
    this.fence = fence;
    this.collected = '';
    this.json = new JsonTracker();
  }

  private scanJson(): void {
    const end = this.json.accept(this.pending);
    this.collected += this.consume(end === -1 ? this.pending.length : end);
    if (end !== -1) this.endJson(true, false);
    else if (this.collected.length > MAX_COLLECTED_CHARS) this.endJson(false, false);
  }

  private endJson(isWhole: boolean, isCut: boolean): void {
    const { collected, fence } = this;
    const { tools } = this.options;
    this.state = 'answer';
    this.collected = '';
    const calls = isWhole ? callsIn(collected, tools) : [];
    this.calls.push(...calls);
    if (calls.length > 0 && fence !== '') return this.hide('thought', { mark: '', words: FENCE_END }, '');
    const isHidden = calls.length > 0 || (isWhole && fence === '' && looksLikeCall(collected));
    if (isHidden || (isCut && mayBeCall(collected) === true)) return this.answer.closeGap();
    if (isWhole) return this.addJson(fence, collected);
    // A thought that speaks of JSON may have ended within what is no JSON.
    const end = lastThoughtEnd(collected);
    if (end === -1) return this.addJson(fence, collected);
    this.endLoneThought();
    this.pending = collected.slice(end);
  }

  private addJson(fence: string, json: string): void {
    this.answer.add(fence);
    if (fence !== '') this.answer.code.addTicks(3, true);
    this.answer.add(json);
  }

  private collect(text: string): void {
    const isKept = this.state !== 'thought' || this.isMention;
    const room = this.state === 'header' ? MAX_HEADER_CHARS : MAX_COLLECTED_CHARS;
    if (isKept && this.collected.length < room) this.collected += text;
  }

  private show(count: number): void {
    this.answer.add(this.consume(count));
  }

  private consume(count: number): string {
    const text = this.pending.slice(0, count);
    this.pending = this.pending.slice(count);
    return text;
  }
}

function beginsHeader({ kind, name }: Marker): boolean {
  return kind === 'harmony' && (name === 'start' || name === 'channel');
}

function lastThoughtEnd(text: string): number {
  for (let at = text.lastIndexOf('</'); at > 0; at = text.lastIndexOf('</', at - 1)) {
    const marker = markerAt(text, at);
    if (marker !== null && marker !== 'partial' && marker.kind === 'thought') return marker.end;
  }
  return -1;
}
