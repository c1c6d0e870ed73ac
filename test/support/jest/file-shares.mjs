/** Gives files their share of a number of workers, in the order in which they ask. */
export class FileShares {
  /**
   * @param {number} workers how many there are
   * @param {Readonly<Record<string, number>>} shares how many of them a file needs; one when it is not listed
   */
  constructor(workers, shares) {
    this.free = workers;
    this.workers = workers;
    this.shares = shares;
    /** @type {{ share: number, begin: () => void }[]} */
    this.waiting = [];
  }

  /** Resolves when the file may run. */
  begin(file) {
    return new Promise((begin) => {
      this.waiting.push({ share: this.shareOf(file), begin });
      this.beginNext();
    });
  }

  end(file) {
    this.free += this.shareOf(file);
    this.beginNext();
  }

  beginNext() {
    while (this.waiting.length > 0 && this.waiting[0].share <= this.free) {
      const { share, begin } = this.waiting.shift();
      this.free -= share;
      begin();
    }
  }

  shareOf(file) {
    return Math.min(this.shares[file] ?? 1, this.workers);
  }
}
