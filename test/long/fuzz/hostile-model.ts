import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { steadyAnswer } from '../testbed/model-server.js';
import type { FuzzInput } from './mutation.js';

const steady = steadyAnswer(0);
const MARK = /fuzz-(\d+)/;

/** A model server that answers a marked message with the bytes it was given for it, and any other as it should. */
export class HostileModel {
  private readonly inputs = new Map<string, FuzzInput>();
  private marks = 0;

  /** @returns the words a message must hold to be answered so */
  take(input: FuzzInput): string {
    const mark = String(++this.marks);
    this.inputs.set(mark, input);
    return `fuzz-${mark}`;
  }

  forget(words: string): void {
    this.inputs.delete(MARK.exec(words)?.[1] ?? '');
  }

  async answer(text: string, response: ServerResponse): Promise<void> {
    const input = this.inputs.get(MARK.exec(text)?.[1] ?? '');
    if (!input) return steady(text, response);
    const { body, facts } = input;
    response.writeHead(Number(facts.modelStatus ?? 200), {
      'Content-Type': facts.modelType ?? 'text/event-stream',
    });
    const size = Math.max(1, Number(facts.chunkBytes ?? body.length));
    for (let at = 0; at < body.length && !response.destroyed; at += size) {
      response.write(body.subarray(at, at + size));
      if (size < body.length) await sleep(0);
    }
    if (facts.ending === 'reset') response.socket?.destroy();
    else if (facts.ending !== 'hang') response.end();
  }
}
