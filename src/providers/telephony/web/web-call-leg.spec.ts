import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import { WEB_CALL_TIMES, WebCallLeg } from './web-call-leg.js';
import { CLOSE } from './web-call-protocol.js';

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

const FRAME = Buffer.alloc(960);

describe('the end of a web call at this process', () => {
  let nowMs = 0;
  const listener = { onKey: () => {}, onTyped: () => {}, onGone: () => {} };

  function attached() {
    const socket = new FakeSocket();
    const leg = new WebCallLeg(listener, WEB_CALL_TIMES, () => nowMs);
    leg.attach(socket as unknown as WebSocket);
    return { socket, leg };
  }
  const send = (socket: FakeSocket, frames: number) => {
    for (let frame = 0; frame < frames; frame++) socket.emit('message', FRAME, true);
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

  it('cuts a browser that sends more sound than time has passed', () => {
    const { socket } = attached();
    nowMs += 1_000;
    send(socket, 540);
    expect(socket.closeCode).toBeNull();
    send(socket, 20);
    expect(socket.closeCode).toBe(CLOSE.tooMuch);
  });
});
