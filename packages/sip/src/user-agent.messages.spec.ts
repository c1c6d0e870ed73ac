import { afterEach, describe, expect, it } from '@jest/globals';
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import {
  loopbackTrunk,
  nextCall,
  nextEvent,
  openScriptedPeer,
  openUserAgent,
} from '../testing/sip-harness.js';
import { until } from '@prosa/testing';
import type { IncomingCall } from './call/incoming-call.js';
import { writeRtpPacket } from './media/rtp-packet.js';
import { type SipRequest, SipResponse } from './message/sip-message.js';
import { parseSipMessage } from './message/sip-parser.js';
import type { SipDns } from './transport/sip-resolver.js';
import type { UserAgent, UserAgentOptions } from './user-agent.js';

const CALL = { to: '5511', from: '5522', ringingTimeoutMs: 5_000 };

function sdp(port: number, host = '127.0.0.1'): string {
  const media = [`m=audio ${port} RTP/AVP 0 97`, 'a=rtpmap:0 PCMU/8000', 'a=rtpmap:97 telephone-event/8000'];
  return ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', `c=IN IP4 ${host}`, 't=0 0', ...media, ''].join('\r\n');
}

function withLocation(description: string): { readonly type: string; readonly body: string } {
  const location = 'Content-Type: application/pidf+xml\r\nContent-ID: <place@x>\r\n\r\n<presence/>';
  const body = `--"\r\n${location}\r\n--"\r\nContent-Type: application/sdp\r\n\r\n${description}\r\n--"--\r\n`;
  return { type: 'multipart/mixed; boundary="\\""', body };
}

interface InviteParts {
  readonly from?: string;
  readonly contact?: string;
  readonly headers?: readonly string[];
  readonly type?: string;
  readonly body?: string;
}

/** An exchange whose every byte the test writes. */
class RawExchange {
  readonly received: string[] = [];
  private count = 0;

  private constructor(
    private readonly socket: DatagramSocket,
    private readonly agentPort: number,
  ) {
    socket.on('message', (bytes) => this.received.push(bytes.toString('latin1')));
  }

  static async open(agentPort: number): Promise<RawExchange> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new RawExchange(socket, agentPort);
  }

  get port(): number {
    return this.socket.address().port;
  }

  invite({
    from = '<sip:9@x>',
    contact,
    headers = [],
    type = 'application/sdp',
    body = '',
  }: InviteParts): string {
    const id = `${this.port}-${++this.count}`;
    return [
      'INVITE sip:5511@127.0.0.1 SIP/2.0',
      `Via: SIP/2.0/UDP 127.0.0.1:${this.port};branch=z9hG4bK${id};rport`,
      ...headers,
      `From: ${from};tag=t${id}`,
      'To: <sip:5511@127.0.0.1>',
      `Call-ID: ${id}`,
      'CSeq: 1 INVITE',
      `Contact: ${contact ?? `<sip:9@127.0.0.1:${this.port}>`}`,
      ...(body ? [`Content-Type: ${type}`] : []),
      `Content-Length: ${Buffer.byteLength(body, 'latin1')}`,
      '',
      body,
    ].join('\r\n');
  }

  /** A request in the dialog of a response. */
  inDialog(
    response: string,
    method: string,
    number: number,
    { type, body = '', headers = [] }: InviteParts,
  ): string {
    const [via, from, to, callId, contact] = ['Via', 'From', 'To', 'Call-ID', 'Contact'].map(
      (name) => new RegExp(`^${name}: (.*)\\r$`, 'm').exec(response)![1]!,
    );
    return [
      `${method} ${/<(.*)>/.exec(contact!)![1]} SIP/2.0`,
      `Via: ${via!.replace(/;branch=[^;]*/, `;branch=z9hG4bK${this.port}-${++this.count}`)}`,
      `From: ${from}`,
      `To: ${to}`,
      `Call-ID: ${callId}`,
      `CSeq: ${number} ${method}`,
      `Contact: <sip:9@127.0.0.1:${this.port}>`,
      ...headers,
      ...(type ? [`Content-Type: ${type}`] : []),
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
  }

  send(text: string): void {
    this.socket.send(Buffer.from(text, 'latin1'), this.agentPort, '127.0.0.1');
  }

  /** The next message whose start line fits. */
  async next(startLine: RegExp): Promise<string> {
    await until(() => this.received.some((text) => startLine.test(text)));
    const [found] = this.received.splice(
      this.received.findIndex((text) => startLine.test(text)),
      1,
    );
    return found!;
  }

  close(): void {
    this.socket.close();
  }
}

describe('UserAgent and what exchanges send', () => {
  const opened: (() => Promise<void> | void)[] = [];

  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });

  async function harness(options: Partial<UserAgentOptions> = {}) {
    const agent = await openUserAgent(28_600, { keepAliveMs: 0, ...options });
    opened.push(() => agent.close());
    agent.addTrunk(loopbackTrunk(9));
    const exchange = await RawExchange.open(agent.transport.localPort('udp'));
    opened.push(() => exchange.close());
    return { agent, exchange };
  }

  /** A socket for sound, at another address than messages come from. */
  async function earAt(address: string): Promise<DatagramSocket> {
    const ear = createSocket('udp4');
    ear.bind(0, address);
    await once(ear, 'listening');
    opened.push(() => void ear.close());
    return ear;
  }

  function named(addresses: () => Promise<readonly string[]>): SipDns {
    return { naptr: async () => [], srv: async () => [], addresses };
  }

  async function incoming(
    agent: UserAgent,
    exchange: RawExchange,
    parts: InviteParts,
  ): Promise<IncomingCall> {
    const offered = nextCall(agent);
    exchange.send(exchange.invite(parts));
    return offered;
  }

  describe('bodies', () => {
    it('takes a call whose description comes with a location', async () => {
      const { agent, exchange } = await harness();
      const ear = await earAt('127.0.0.1');
      const heard = once(ear, 'message');
      const call = await incoming(agent, exchange, withLocation(sdp(ear.address().port)));
      expect(await call.accept()).toBe(true);
      expect(await exchange.next(/^SIP\/2.0 200/)).toContain('m=audio ');
      expect((await heard)[0]).toHaveLength(172);
    });

    it.each([
      ['application/isup', '', 415],
      ['application/isup', 'Content-Disposition: signal;handling=optional', 100],
      ['multipart/mixed;boundary=b', '', 415],
    ])('answers a body of %s alone, %s, by %i', async (type, header, status) => {
      const { exchange } = await harness();
      const headers = header ? [header] : [];
      exchange.send(
        exchange.invite({ type, body: '--b\r\nContent-Type: a/b\r\n\r\n\u0001\r\n--b--', headers }),
      );
      const response = await exchange.next(/^SIP\/2.0 /);
      expect(response).toMatch(new RegExp(`^SIP/2.0 ${status}`));
      if (status === 415) expect(response).toMatch(/Accept: application\/sdp, multipart\/mixed/);
    });

    it('takes the answer to its own offer in an ACK, and offers in a PRACK, an UPDATE and a re-INVITE', async () => {
      const { agent, exchange } = await harness();
      const [first, second] = [await earAt('127.0.0.1'), await earAt('127.0.0.1')];
      const late = await incoming(agent, exchange, {});
      expect(await late.accept()).toBe(true);
      const heard = once(first, 'message');
      exchange.send(
        exchange.inDialog(
          await exchange.next(/^SIP\/2.0 200/),
          'ACK',
          1,
          withLocation(sdp(first.address().port)),
        ),
      );
      await heard;

      const headers = ['Supported: 100rel'];
      const call = await incoming(agent, exchange, { ...withLocation(sdp(first.address().port)), headers });
      expect(await call.early()).toBe(true);
      const early = await exchange.next(/^SIP\/2.0 183/);
      const ports = () => call.media!.negotiation.negotiated!.remotePort;
      expect(ports()).toBe(first.address().port);
      const rack = [`RAck: ${/^RSeq: (\d+)/m.exec(early)![1]} 1 INVITE`];
      const moved = { ...withLocation(sdp(second.address().port)), headers: rack };
      exchange.send(exchange.inDialog(early, 'PRACK', 2, moved));
      const confirmed = await exchange.next(/^SIP\/2.0 200 OK[^]*CSeq: 2 PRACK/);
      expect(confirmed).toMatch(/Content-Type: application\/sdp[^]*m=audio /);
      expect(ports()).toBe(second.address().port);
      expect(await call.accept()).toBe(true);
      const ok = await exchange.next(/^SIP\/2.0 200 OK[^]*CSeq: 1 INVITE/);
      exchange.send(exchange.inDialog(ok, 'ACK', 1, {}));
      for (const [number, method] of [
        [3, 'UPDATE'],
        [4, 'INVITE'],
      ] as const) {
        const ear = await earAt('127.0.0.1');
        exchange.send(exchange.inDialog(ok, method, number, withLocation(sdp(ear.address().port))));
        await exchange.next(new RegExp(`^SIP/2.0 200 OK[^]*CSeq: ${number} ${method}`));
        expect(ports()).toBe(ear.address().port);
      }
    });

    it('takes the answers to its own call, early and late, and the offer of a re-INVITE', async () => {
      const { agent } = await harness();
      const peer = await openScriptedPeer();
      opened.push(() => peer.close());
      agent.addTrunk(loopbackTrunk(peer.port, { id: 'out' }));
      const call = agent.call('out', CALL)!;
      const early = nextEvent(call, 'early');
      const answered = nextEvent(call, 'answered');
      const invite = await peer.next('INVITE');
      const ear = await earAt('127.0.0.1');
      const respond = (request: SipRequest, status: number) => {
        const response = SipResponse.to(request, status, 'peer');
        const { type, body } = withLocation(sdp(ear.address().port));
        response.headers.set('contact', `<sip:p@127.0.0.1:${peer.port}>`);
        peer.send(response.setBody(type, body).serialize(), agent.transport.localPort('udp'));
      };
      respond(invite, 183);
      await early;
      respond(invite, 200);
      await answered;
      const held = call.hold(true);
      respond(await peer.next('INVITE'), 200);
      expect(await held).toBe(true);
    });
  });

  describe('host names', () => {
    it('sends the sound to the address of a name, from the first word on', async () => {
      const { agent, exchange } = await harness({ dns: named(async () => ['::1', '127.0.0.5']) });
      const [ear, other] = [await earAt('127.0.0.5'), await earAt('127.0.0.1')];
      const strays: unknown[] = [];
      other.on('message', (bytes) => strays.push(bytes));
      const heard = once(ear, 'message');
      const call = await incoming(agent, exchange, { body: sdp(ear.address().port, 'media.example') });
      expect(await call.accept()).toBe(true);
      await heard;
      expect(call.media!.rtp.receiver.destination).toMatchObject({ address: '127.0.0.5' });
      expect(call.snapshot()!.audio.negotiated?.remoteAddress).toBe('127.0.0.5');
      expect(strays).toEqual([]);
    });

    it.each([
      ['has a forbidden address', async () => ['10.1.2.3']],
      ['is not known', async () => []],
      ['gets no answer', () => new Promise<never>(() => {})],
    ])('sends the sound to where the messages come from when the name %s', async (_name, addresses) => {
      const isPermitted = (address: string) => address === '127.0.0.1';
      const { agent, exchange } = await harness({ dns: named(addresses), isPermitted });
      const ear = await earAt('127.0.0.1');
      const heard = once(ear, 'message');
      const call = await incoming(agent, exchange, { body: sdp(ear.address().port, 'media.example') });
      const startedAt = performance.now();
      expect(await call.accept()).toBe(true);
      expect(performance.now() - startedAt).toBeLessThan(2_500);
      await heard;
      expect(call.snapshot()!.audio.negotiated?.remoteAddress).toBe('127.0.0.1');
    });

    it('follows a name in the answer to its own call', async () => {
      const { agent } = await harness({ dns: named(async () => ['127.0.0.6']) });
      const peer = await openScriptedPeer();
      opened.push(() => peer.close());
      agent.addTrunk(loopbackTrunk(peer.port, { id: 'out' }));
      const ear = await earAt('127.0.0.6');
      const heard = once(ear, 'message');
      const call = agent.call('out', CALL)!;
      peer.answer(await peer.next('INVITE'), 'peer', ear.address().port, 'media.example');
      await heard;
      expect(call.media!.rtp.receiver.destination).toMatchObject({ address: '127.0.0.6' });
    });
  });

  describe('messages that break the grammar', () => {
    it.each([
      ['a comma', 'Souza, Ana', '"Souza, Ana"'],
      ['an @', 'ana@empresa', '"ana@empresa"'],
      ['a lost quote', '"Ana Souza', '"Ana Souza"'],
    ])(
      'takes a call whose names have %s, and writes its own requests well',
      async (_name, written, repaired) => {
        const { agent, exchange } = await harness();
        const call = await incoming(agent, exchange, {
          from: `${written} <sip:9@x>`,
          contact: `${written} <sip:9@127.0.0.1:${exchange.port}>`,
        });
        expect(call.from).toBe('9');
        expect(await call.accept()).toBe(true);
        const ok = await exchange.next(/^SIP\/2.0 200/);
        // A response repeats what the request has, byte for byte.
        expect(ok).toContain(`From: ${written} <sip:9@x>;tag=t`);
        const toTag = /^To: .*;tag=(\w+)/m.exec(ok)![1];
        const ack = exchange.invite({ from: `${written} <sip:9@x>` }).replaceAll('INVITE', 'ACK');
        const id = /^Call-ID: (.*)\r$/m.exec(ok)![1]!;
        exchange.send(
          ack
            .replace(/^Call-ID: .*\r$/m, `Call-ID: ${id}\r`)
            .replace(/;tag=t.*\r/, `;tag=t${id}\r`)
            .replace(/^To: .*\r$/m, `To: <sip:5511@127.0.0.1>;tag=${toTag}\r`),
        );
        call.hangUp();
        expect(await exchange.next(/^BYE sip:9@127/)).toContain(`To: ${repaired} <sip:9@x>;tag=t`);
      },
    );

    it.each<[string, InviteParts, number]>([
      ['a From that cannot be read', { from: 'Ana <sip:9@x> <sip:8@x>' }, 400],
      ['more than 16 KiB of headers', { headers: [`Identity: ${'e'.repeat(17_000)}`] }, 513],
      ['a line that is none', { headers: ['what is this'] }, 400],
      ['a Contact that cannot be read', { contact: 'Ana' }, 400],
    ])('refuses a call with %s', async (_name, parts, status) => {
      const { agent, exchange } = await harness();
      const invite = exchange.invite(parts);
      exchange.send(invite);
      const response = await exchange.next(/^SIP\/2.0 [2-6]/);
      expect(response).toMatch(new RegExp(`^SIP/2.0 ${status} `));
      for (const name of ['From', 'Call-ID', 'CSeq']) {
        const line = new RegExp(`^${name}: .*\\r$`, 'm').exec(invite)![0];
        expect(response).toContain(line);
      }
      expect(parseSipMessage(Buffer.from(response, 'latin1')).kind === 'message').toBe(!parts.from);
      expect(response.length).toBeLessThan(Math.max(invite.length, 700));
      expect(agent.callCount).toBe(0);
    });

    it('takes a call with a line of more than 8 KiB', async () => {
      const { agent, exchange } = await harness();
      await incoming(agent, exchange, { headers: [`Identity: ${'e'.repeat(9_500)};info=<https://x>`] });
      expect(agent.callCount).toBe(1);
    });

    it('refuses too long headers on a connection, and reads on', async () => {
      const { agent } = await harness();
      const stream = connect(agent.transport.localPort('tcp'), '127.0.0.1');
      opened.push(() => void stream.destroy());
      let read = '';
      stream.on('data', (bytes) => (read += bytes.toString('latin1')));
      const options = (branch: string, header: string, length = '0') =>
        `OPTIONS sip:x SIP/2.0\r\nVia: SIP/2.0/TCP 127.0.0.1;branch=z9hG4bK${branch}\r\n${header}From: <sip:9@x>;tag=1\r\nTo: <sip:x>\r\nCall-ID: ${branch}\r\nCSeq: 1 OPTIONS\r\nContent-Length: ${length}\r\n\r\n`;
      stream.write(options('long', `X: ${'x'.repeat(30_000)}\r\n`) + options('short', ''));
      await until(() => read.includes('Call-ID: short'));
      expect(read.match(/^SIP\/2.0 .*$/gm)).toEqual(['SIP/2.0 513 Message Too Large', 'SIP/2.0 200 OK']);

      // Without a length the next message cannot be found.
      const closed = once(stream, 'close');
      read = '';
      stream.write(options('before', '') + options('lost', '', 'four') + options('after', ''));
      await closed;
      expect(read.match(/^(?:SIP\/2.0|Call-ID:) .*$/gm)).toEqual([
        'SIP/2.0 200 OK',
        'Call-ID: before',
        'SIP/2.0 400 Bad Request',
        'Call-ID: lost',
      ]);
    });
  });

  it('counts a key once that comes in RTP and in an INFO, and two that come by one of them', async () => {
    const { agent } = await harness();
    const peer = await openScriptedPeer();
    opened.push(() => peer.close());
    agent.addTrunk(loopbackTrunk(peer.port, { id: 'out' }));
    const rtp = await earAt('127.0.0.1');
    const call = agent.call('out', CALL)!;
    const answered = nextEvent(call, 'answered');
    const invite = await peer.next('INVITE');
    peer.answer(invite, 'peer', rtp.address().port);
    await answered;
    const keys: string[] = [];
    call.on('key', (key) => keys.push(key));
    const mediaPort = Number(/m=audio (\d+)/.exec(invite.sdp)![1]);
    const sendKey = (key: number, sequence: number) => {
      const header = { payloadType: 101, marker: true, sequence, timestamp: sequence * 2_000, ssrc: 5 };
      rtp.send(writeRtpPacket(header, Buffer.from([key, 0x8a, 3, 0xc0])), mediaPort, '127.0.0.1');
    };
    const sendInfo = (number: number, type: string, body: string) =>
      peer.send(
        [
          `INFO ${invite.contact!.uri} SIP/2.0`,
          `Via: SIP/2.0/UDP 127.0.0.1:${peer.port};branch=z9hG4bKinfo${number}`,
          `From: ${invite.headers.get('to')};tag=peer`,
          `To: ${invite.headers.get('from')}`,
          `Call-ID: ${invite.callId}`,
          `CSeq: ${number} INFO`,
          `Content-Type: ${type}`,
          `Content-Length: ${body.length}`,
          '',
          body,
        ].join('\r\n'),
        agent.transport.localPort('udp'),
      );
    sendKey(6, 1);
    await until(() => keys.length === 1);
    sendInfo(1, 'application/dtmf-relay', 'Signal=6\r\nDuration=100');
    const relay = 'Content-Type: application/dtmf-relay\r\n\r\nSignal=7\r\n';
    sendInfo(2, 'multipart/mixed;boundary=b', `--b\r\n${relay}\r\n--b--`);
    sendKey(7, 2);
    sendKey(8, 3);
    sendKey(8, 4);
    await until(() => keys.length >= 4);
    expect(keys.join('')).toBe('6788');
  });
});
