import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { randomInt } from 'node:crypto';
import { literalLookup } from '../transport/literal-lookup.js';

/** No port of the range is free: as many calls as there are ports, or others use them. */
export class NoRtpPortError extends Error {
  constructor(range: RtpPortRange) {
    super(`No RTP port between ${range.from} and ${range.to} is free.`);
    this.name = 'NoRtpPortError';
  }
}

/** Both ends belong to it. Calls use the even ports (RFC 3550 §11). */
export interface RtpPortRange {
  readonly from: number;
  readonly to: number;
}

const RECEIVE_BUFFER_BYTES = 256 * 1024;

/** Opens the sockets of calls within the range a firewall lets through. */
export class RtpPortPool {
  private readonly taken = new Set<number>();
  private next: number;

  constructor(
    private readonly host: string,
    private readonly range: RtpPortRange,
  ) {
    // Not always the same ports after a restart, as peers may still send to those.
    this.next = this.even(randomInt(range.from, range.to + 1));
  }

  get inUse(): number {
    return this.taken.size;
  }

  /** @throws NoRtpPortError */
  async open(): Promise<Socket> {
    const count = Math.ceil((this.range.to - this.range.from + 1) / 2);
    for (let tried = 0; tried < count; tried++) {
      const port = this.advance();
      if (this.taken.has(port)) continue;
      this.taken.add(port);
      const socket = await this.bind(port);
      if (socket) {
        socket.once('close', () => this.taken.delete(port));
        return socket;
      }
      this.taken.delete(port);
    }
    throw new NoRtpPortError(this.range);
  }

  private async bind(port: number): Promise<Socket | null> {
    const socket = createSocket({
      type: isIPv6(this.host) ? 'udp6' : 'udp4',
      recvBufferSize: RECEIVE_BUFFER_BYTES,
      lookup: literalLookup,
    });
    try {
      const listening = once(socket, 'listening');
      socket.bind(port, this.host);
      await listening;
      return socket;
    } catch {
      socket.close();
      return null;
    }
  }

  private advance(): number {
    const port = this.next;
    this.next = port + 2 > this.range.to ? this.even(this.range.from) : port + 2;
    return port;
  }

  private even(port: number): number {
    const even = port % 2 === 0 ? port : port + 1;
    return even > this.range.to ? even - 2 : even;
  }
}
