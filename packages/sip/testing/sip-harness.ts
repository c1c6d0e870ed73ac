import { createSocket } from 'node:dgram';
import { EventEmitter, once } from 'node:events';
import { frameLength, type CallAudio } from '@prosa/audio';
import type { IncomingCall } from '../src/call/incoming-call.js';
import type { SipCall } from '../src/call/sip-call.js';
import type { SipCallEvents } from '../src/call/sip-call-events.js';
import { NARROW_CODECS } from '../src/media/codec/audio-codec.js';
import { type SipRequest, SipResponse } from '../src/message/sip-message.js';
import { parseSipMessage } from '../src/message/sip-parser.js';
import type { TransportProtocol } from '../src/transport/sip-endpoint.js';
import type { SipTrunk } from '../src/trunk/sip-trunk.js';
import { UserAgent, type UserAgentOptions } from '../src/user-agent.js';

export const FAST_TIMERS = { t1Ms: 40, t2Ms: 320, t4Ms: 400 };

/** A user agent on loopback, on ports of the system's choice; of narrow band, as what is measured here is at 8 kHz. */
export function openUserAgent(rtpFrom: number, options: Partial<UserAgentOptions> = {}): Promise<UserAgent> {
  return UserAgent.open({
    listen: { host: '127.0.0.1', port: 0 },
    rtpPorts: { from: rtpFrom, to: rtpFrom + 198 },
    realm: 'prosa.test',
    timers: FAST_TIMERS,
    codecs: NARROW_CODECS,
    ...options,
  });
}

/** A trunk to a port of loopback, trusted by its address. */
export function loopbackTrunk(
  port: number,
  changes: Partial<SipTrunk> = {},
  protocol: TransportProtocol = 'udp',
): SipTrunk {
  return {
    id: 'trunk',
    target: { host: '127.0.0.1', port, protocol },
    domain: '127.0.0.1',
    credentials: null,
    registration: null,
    inbound: { addresses: ['127.0.0.1'], credentials: null },
    srtp: 'off',
    ...changes,
  };
}

/** The next event of a call, or an error that says which one did not come. */
export async function nextEvent<Name extends keyof SipCallEvents>(
  call: SipCall,
  name: Name,
  timeoutMs = 5_000,
): Promise<SipCallEvents[Name]> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    return (await once(call, name, { signal: late })) as SipCallEvents[Name];
  } catch (error) {
    throw new Error(`No ${name} within ${timeoutMs} ms.`, { cause: error });
  }
}

export async function nextCall(agent: UserAgent, timeoutMs = 5_000): Promise<IncomingCall> {
  const [call] = await once(agent, 'call', { signal: AbortSignal.timeout(timeoutMs) });
  return call as IncomingCall;
}

/** Sends a tone until it is stopped, in real time and three frames ahead. */
export function playTone(audio: CallAudio, hertz: number): () => void {
  const startedAt = performance.now();
  const length = frameLength(audio.sampleRateHz);
  let sent = 0;
  const play = () => {
    for (; sent < (performance.now() - startedAt) / 20 + 3; sent++) {
      audio.send(
        Int16Array.from({ length }, (_, index) =>
          Math.round(8_000 * Math.sin((2 * Math.PI * hertz * (sent * length + index)) / audio.sampleRateHz)),
        ),
      );
    }
  };
  const timer = setInterval(play, 10);
  return () => clearInterval(timer);
}

/** Reads so many frames. */
export async function listen(audio: CallAudio, frames: number): Promise<Int16Array> {
  const samples: number[] = [];
  for await (const frame of audio.heard) {
    samples.push(...frame);
    if (samples.length >= frames * frameLength(audio.sampleRateHz)) break;
  }
  return Int16Array.from(samples);
}

/** How much of the sound is the tone, 0 to 1: of each frame by itself, so that one that was late costs only itself. */
export function toneShare(samples: Int16Array, hertz: number, sampleRateHz = 8_000): number {
  const length = frameLength(sampleRateHz);
  const frames = Math.floor(samples.length / length);
  let sum = 0;
  for (let frame = 0; frame < frames; frame++)
    sum += shareOfFrame(samples.subarray(frame * length, (frame + 1) * length), hertz, sampleRateHz);
  return sum / frames;
}

/** Frames of a fifth of a second, in which a tone is looked for. */
const TONE_FRAMES = 10;
const CLEAR_SHARE = 0.7;

/** Reads until a fifth of a second is the tone. On a busy machine frames come late, and each late frame is silent. */
export async function hearTone(audio: CallAudio, hertz: number, maxFrames = 500): Promise<void> {
  const samples: number[] = [];
  const length = frameLength(audio.sampleRateHz);
  let best = 0;
  for await (const frame of audio.heard) {
    samples.push(...frame);
    const last = Int16Array.from(samples.slice(-TONE_FRAMES * length));
    if (last.length === TONE_FRAMES * length)
      best = Math.max(best, toneShare(last, hertz, audio.sampleRateHz));
    if (best > CLEAR_SHARE) return;
    if (samples.length >= maxFrames * length) break;
  }
  throw new Error(`no tone of ${hertz} Hz: at most ${best.toFixed(2)} of a fifth of a second`);
}

/** Goertzel. */
function shareOfFrame(samples: Int16Array, hertz: number, sampleRateHz: number): number {
  let real = 0;
  let imaginary = 0;
  let energy = 1;
  samples.forEach((sample, index) => {
    const angle = (2 * Math.PI * hertz * index) / sampleRateHz;
    real += sample * Math.cos(angle);
    imaginary += sample * Math.sin(angle);
    energy += sample * sample;
  });
  return (2 * (real * real + imaginary * imaginary)) / (samples.length * energy);
}

export interface LossyPath {
  readonly port: number;
  readonly counts: { passed: number; lost: number; doubled: number; delayed: number };
  close(): void;
}

/** Datagrams between one client and a port of loopback, some of them lost, doubled or late. */
export async function openLossyPath(
  farPort: number,
  share: { readonly lost: number; readonly doubled: number; readonly delayed: number },
): Promise<LossyPath> {
  const near = createSocket('udp4');
  const far = createSocket('udp4');
  const counts = { passed: 0, lost: 0, doubled: 0, delayed: 0 };
  let clientPort = 0;
  let open = true;
  const pass = (socket: typeof near, bytes: Buffer, port: number) => {
    const deliver = () => {
      if (open) socket.send(bytes, port, '127.0.0.1');
    };
    if (Math.random() < share.lost) {
      counts.lost++;
      return;
    }
    counts.passed++;
    if (Math.random() < share.delayed) {
      counts.delayed++;
      setTimeout(deliver, 5 + Math.random() * 60);
    } else {
      deliver();
    }
    if (Math.random() < share.doubled) {
      counts.doubled++;
      setTimeout(deliver, Math.random() * 30);
    }
  };
  near.on('message', (bytes, from) => {
    clientPort = from.port;
    pass(far, bytes, farPort);
  });
  far.on('message', (bytes) => pass(near, bytes, clientPort));
  for (const socket of [near, far]) {
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
  }
  return {
    port: near.address().port,
    counts,
    close: () => {
      open = false;
      near.close();
      far.close();
    },
  };
}

/** A far end that says nothing by itself; the test decides every message of it. */
export interface ScriptedPeer {
  readonly port: number;
  /** The methods that came so far. */
  readonly received: readonly string[];
  /** The next request of this method, without those that were only sent again. */
  next(method: string, timeoutMs?: number): Promise<SipRequest>;
  reply(request: SipRequest, status: number, headers?: Readonly<Record<string, string>>): void;
  /** A 200 with a description, of the fork with this tag. */
  answer(request: SipRequest, tag?: string, rtpPort?: number, rtpAddress?: string): void;
  /** The same, with further header fields. */
  answerWith(request: SipRequest, headers: Readonly<Record<string, string>>): void;
  /** The next response of this status. */
  response(status: number, timeoutMs?: number): Promise<SipResponse>;
  send(bytes: Buffer | string, port: number): void;
  close(): void;
}

export async function openScriptedPeer(): Promise<ScriptedPeer> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  const received: string[] = [];
  const branches = new Set<string>();
  const waiting: SipRequest[] = [];
  const responses: SipResponse[] = [];
  const arrivals = new EventEmitter();
  let replyPort = 0;
  socket.on('message', (bytes, from) => {
    const parsed = parseSipMessage(bytes);
    if (parsed.kind !== 'message') return;
    const { message } = parsed;
    if (message.kind === 'response') {
      responses.push(message);
      arrivals.emit('message');
      return;
    }
    replyPort = from.port;
    if (message.method === 'OPTIONS' || branches.has(message.method + message.branch)) return;
    branches.add(message.method + message.branch);
    received.push(message.method);
    waiting.push(message);
    arrivals.emit('message');
  });
  const respond = (request: SipRequest, status: number, tag: string, sdp: string, headers = {}) => {
    const response = SipResponse.to(request, status, tag);
    response.headers.set('contact', `<sip:peer@127.0.0.1:${port}>`);
    for (const [name, value] of Object.entries<string>(headers)) response.headers.set(name, value);
    if (sdp) response.setBody('application/sdp', sdp);
    socket.send(response.serialize(), replyPort, '127.0.0.1');
  };
  return {
    port,
    received,
    next: (method, timeoutMs) =>
      takeNext({ messages: waiting, arrivals }, (request) => request.method === method, timeoutMs),
    response: (status, timeoutMs) =>
      takeNext({ messages: responses, arrivals }, (response) => response.status === status, timeoutMs),
    reply: (request, status, headers) => respond(request, status, 'peer', '', headers),
    answer: (request, tag = 'peer', rtpPort = 9, rtpAddress = '127.0.0.1') => {
      const sdp = PEER_SDP.replace('audio 9', `audio ${rtpPort}`);
      respond(request, 200, tag, sdp.replace('c=IN IP4 127.0.0.1', `c=IN IP4 ${rtpAddress}`));
    },
    answerWith: (request, headers) => respond(request, 200, 'peer', PEER_SDP, headers),
    send: (bytes, to) => socket.send(bytes, to, '127.0.0.1'),
    close: () => socket.close(),
  };
}

async function takeNext<Message>(
  { messages, arrivals }: { readonly messages: Message[]; readonly arrivals: EventEmitter },
  isWanted: (message: Message) => boolean,
  timeoutMs = 5_000,
): Promise<Message> {
  const late = AbortSignal.timeout(timeoutMs);
  while (!messages.some(isWanted)) await once(arrivals, 'message', { signal: late });
  const [found] = messages.splice(messages.findIndex(isWanted), 1);
  return found!;
}

export const PEER_SDP = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 9 RTP/AVP 0 101',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:101 telephone-event/8000',
  '',
].join('\r\n');
