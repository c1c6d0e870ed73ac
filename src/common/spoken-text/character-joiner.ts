/** Joins text that comes in chunks: the first half of a character waits for the other one. */
export class CharacterJoiner {
  private half = '';

  /** @returns what has come, without the beginning of a character whose other half is in the next chunk */
  join(chunk: string): string {
    const text = this.half + chunk;
    this.half = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '';
    return this.half === '' ? text : text.slice(0, -1);
  }

  /** @returns the half whose other half has not come */
  end(): string {
    const { half } = this;
    this.half = '';
    return half;
  }
}

export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
