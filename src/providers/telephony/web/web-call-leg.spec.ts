import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import { WEB_CALL_TIMES, WebCallLeg } from './web-call-leg.js';
import { CLOSE } from './web-call-protocol.js';
import { WebSocketConnection } from './web-socket-connection.js';

/** A connection that is open, and remembers how it was closed. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  readonly bufferedAmount = 0;
  closeCode: number | null = null;
  send(): void {}
  terminate(): void {}
  close(code: number): void {
    this.closeCode = code;
  }
}

const SILENCE = Buffer.alloc(960);
const FRAME = Buffer.alloc(960, 32);

describe('the end of a web call at this process', () => {
  let nowMs = 0;
  const listener = { onKey: () => {}, onTyped: () => {}, onGone: () => {} };

  function attached() {
    const socket = new FakeSocket();
    const leg = new WebCallLeg(listener, WEB_CALL_TIMES, () => nowMs);
    leg.attach(new WebSocketConnection(socket as unknown as WebSocket));
    return { socket, leg };
  }
  const send = (socket: FakeSocket, frames: number, sound = FRAME) => {
    for (let frame = 0; frame < frames; frame++) socket.emit('message', sound, true);
  };
  /** What is heard in so many ticks: the first sample of each frame. */
  const hear = async (leg: WebCallLeg, ticks: number) => {
    const heard: (number | undefined)[] = [];
    for (let tick = 0; tick < ticks; tick++) {
      leg.tick();
      const { value } = await leg.heard.next();
      heard.push(value?.[0]);
    }
    return heard;
  };

  it('hears a browser out whose sound came at once, because this process stood still', () => {
    const { socket } = attached();
    nowMs += 8_000;
    send(socket, 400);
    expect(socket.closeCode).toBeNull();
  });

  it('keeps two seconds of what came late, and drops what is older', async () => {
    const { socket, leg } = attached();
    nowMs += 10_000;
    send(socket, 499);
    socket.emit('message', Buffer.alloc(960, 1), true);
    const heard = leg.heard[Symbol.asyncIterator]();
    let last: Int16Array | undefined;
    for (let tick = 0; tick < 100; tick++) {
      leg.tick();
      last = (await heard.next()).value as Int16Array;
    }
    expect(last?.[0]).toBe(0x01_01);
  });

  it('makes up in pauses for what came late, and leaves out no word', async () => {
    const { socket, leg } = attached();
    nowMs += 2_000;
    send(socket, 40, SILENCE);
    send(socket, 20);
    // A stop within a word.
    send(socket, 4, SILENCE);
    send(socket, 6);
    send(socket, 30, SILENCE);
    const heard = await hear(leg, 60);
    const [loud, none] = [FRAME.readInt16LE(0), 0];
    const of = (count: number, sample: number) => Array.from({ length: count }, () => sample);
    expect(heard.slice(0, 5 + 20 + 4 + 6)).toEqual([
      ...of(5, none),
      ...of(20, loud),
      ...of(4, none),
      ...of(6, loud),
    ]);
    // From here on it is heard as it comes: what is sent now waits behind less than a quarter of a second.
    send(socket, 12);
    expect((await hear(leg, 12)).indexOf(loud)).toBeLessThan(12);
  });

  it('leaves silence as it is where nothing came late', async () => {
    const { socket, leg } = attached();
    const heard: (number | undefined)[] = [];
    send(socket, 3, SILENCE);
    for (let tick = 0; tick < 50; tick++) {
      send(socket, 1, tick === 40 ? FRAME : SILENCE);
      heard.push(...(await hear(leg, 1)));
    }
    expect(heard.indexOf(FRAME.readInt16LE(0))).toBe(43);
  });

  it('cuts a browser that sends more sound than time has passed', () => {
    const { socket } = attached();
    nowMs += 1_000;
    send(socket, 540);
    expect(socket.closeCode).toBeNull();
    send(socket, 20);
    expect(socket.closeCode).toBe(CLOSE.tooMuch);
  });
});
