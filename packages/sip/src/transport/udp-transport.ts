import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { literalLookup } from './literal-lookup.js';
import { type SipEndpoint, SipTransportError } from './sip-endpoint.js';
import type { SipReceiver, SipTransport } from './sip-transport.js';

/** A burst of a few thousand messages waits in the kernel instead of being dropped. */
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;

/** SIP over UDP: one message a datagram, one socket for all trunks. */
export class UdpTransport implements SipTransport {
  readonly protocol = 'udp';

  private constructor(
    private readonly socket: Socket,
    receive: SipReceiver,
  ) {
    socket.on('message', (bytes: Buffer, from: RemoteInfo) => {
      receive(bytes, { protocol: 'udp', address: from.address, port: from.port });
    });
    // What the network says of single datagrams (unreachable peers) is known by their missing answers.
    socket.on('error', () => {});
  }

  /** Rejects with the system's error when the address is taken. */
  static async listen(host: string, port: number, receive: SipReceiver): Promise<UdpTransport> {
    const socket = createSocket({
      type: isIPv6(host) ? 'udp6' : 'udp4',
      recvBufferSize: RECEIVE_BUFFER_BYTES,
      lookup: literalLookup,
    });
    const listening = once(socket, 'listening');
    socket.bind(port, host);
    await listening;
    return new UdpTransport(socket, receive);
  }

  get localAddress(): string {
    return this.socket.address().address;
  }

  get localPort(): number {
    return this.socket.address().port;
  }

  send(bytes: Buffer, to: SipEndpoint): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.send(bytes, to.port, to.address, (error) => {
        if (error) reject(new SipTransportError(to, { cause: error }));
        else resolve();
      });
    });
  }

  async close(): Promise<void> {
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }
}
