import { describe, expect, it } from '@jest/globals';
import { FrameQueue } from './frame-queue.js';

const frame = (value: number) => new Int16Array(160).fill(value);

async function read(queue: FrameQueue): Promise<number[]> {
  queue.end();
  const values: number[] = [];
  for await (const { 0: value } of queue) values.push(value ?? -1);
  return values;
}

describe('FrameQueue', () => {
  it('gives a late reader silence in place of the oldest frames, so that their count is the time', async () => {
    const queue = new FrameQueue(3);
    for (let value = 1; value <= 8; value++) queue.push(frame(value));
    expect(await read(queue)).toEqual([0, 0, 0, 0, 0, 6, 7, 8]);
  });

  it('gives a frame at once to a reader that waits', async () => {
    const queue = new FrameQueue(3);
    const next = queue.next();
    queue.push(frame(5));
    expect((await next).value?.[0]).toBe(5);
    expect(await read(queue)).toEqual([]);
  });

  it('has silence for time in which nothing came', async () => {
    const queue = new FrameQueue(10);
    queue.push(frame(1));
    queue.pushSilence(2, 160);
    queue.push(frame(2));
    expect(await read(queue)).toEqual([1, 0, 0, 2]);
  });
});
