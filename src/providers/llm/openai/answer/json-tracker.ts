/** Follows a JSON object or list that comes in pieces to its end. */
export class JsonTracker {
  private depth = 0;
  private isString = false;
  private isEscaped = false;

  /**
   * @returns how many characters of the piece belong to the JSON, where it ends in the piece; -1 where it continues
   */
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
