/** Gives files of a list their turns, one at a time, in the order in which they ask. Other files do not wait. */
export class FileTurns {
  /** @param {readonly string[]} files */
  constructor(files) {
    this.files = new Set(files);
    /** Resolves when the last file that has asked ends. */
    this.lastEnd = Promise.resolve();
    /** @type {Map<string, () => void>} */
    this.ends = new Map();
  }

  /** Resolves when the file may run. */
  async begin(file) {
    if (!this.files.has(file)) return;
    const previousEnd = this.lastEnd;
    this.lastEnd = new Promise((resolve) => this.ends.set(file, resolve));
    await previousEnd;
  }

  end(file) {
    this.ends.get(file)?.();
    this.ends.delete(file);
  }
}
