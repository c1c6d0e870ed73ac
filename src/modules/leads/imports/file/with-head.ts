export interface FileWithHead {
  /** The first bytes; fewer than were asked for where the file is shorter. */
  readonly head: Buffer;
  /** The whole file, the head too. */
  readonly whole: AsyncGenerator<Uint8Array>;
}

/** Looks at the first bytes of a file before the file is read. */
export async function withHead(chunks: AsyncIterable<Uint8Array>, bytes: number): Promise<FileWithHead> {
  const source = chunks[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < bytes) {
    const step = await source.next();
    if (step.done) break;
    start = Buffer.concat([start, step.value]);
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    if (start.length > 0) yield start;
    for (let step = await source.next(); !step.done; step = await source.next()) yield step.value;
  }
  return { head: start.subarray(0, bytes), whole: whole() };
}
