import { CALL_KEYS } from './text-calls.js';

const HEAD = /^\[?\s{0,20}\{\s{0,20}"([^"]{0,40})"/;
const HEAD_BEGINNING = /^\[?\s{0,20}(?:\{\s{0,20}(?:"[^"]{0,40})?)?$/;

/** Whether JSON may be a call, by its first key. */
export function mayBeCall(text: string): boolean | 'partial' {
  const head = text.slice(0, 100);
  const key = HEAD.exec(head)?.[1];
  return key === undefined ? HEAD_BEGINNING.test(head) && 'partial' : CALL_KEYS.has(key);
}

/** Follows a JSON object or list that comes in pieces to its end. */
export class JsonTracker {
  private depth = 0;
  private isString = false;
  private isEscaped = false;

  /** @returns how much of a piece belongs to it, where it ends in the piece; -1 where it goes on */
  accept(piece: string): number {
    for (let index = 0; index < piece.length; index++) {
      const char = piece.charAt(index);
      if (this.isEscaped) this.isEscaped = false;
      else if (this.isString) {
        if (char === '\\') this.isEscaped = true;
        else if (char === '"') this.isString = false;
      } else if (char === '"') this.isString = true;
      else if (char === '{' || char === '[') this.depth++;
      else if ((char === '}' || char === ']') && --this.depth === 0) return index + 1;
    }
    return -1;
  }
}
