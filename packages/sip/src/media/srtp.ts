import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { rtpHeaderBytes } from './rtp-packet.js';

const KEY_BYTES = 16;
const SALT_BYTES = 14;
const AUTH_KEY_BYTES = 20;
/** 80 bits of HMAC-SHA1. */
const TAG_BYTES = 10;
const REPLAY_WINDOW = 64n;

/** Labels of the key derivation, RFC 3711 §4.3.1. */
const LABEL_ENCRYPTION = 0;
const LABEL_AUTHENTICATION = 1;
const LABEL_SALT = 2;

/** One derived key; the key derivation rate is 0, so there is one for the whole session. */
export function deriveSrtpKey(masterKey: Buffer, masterSalt: Buffer, label: number, length: number): Buffer {
  const counter = Buffer.alloc(16);
  masterSalt.copy(counter);
  counter.writeUInt8((counter[7] ?? 0) ^ label, 7);
  return createCipheriv('aes-128-ctr', masterKey, counter).update(Buffer.alloc(length));
}

/** The keys of one direction, and the part of the packet index that is not in the packets. */
abstract class SrtpStream {
  private readonly encryptionKey: Buffer;
  private readonly authenticationKey: Buffer;
  private readonly salt: Buffer;

  /** @param key base64 of master key and master salt, as in `a=crypto` */
  constructor(key: string) {
    const bytes = Buffer.from(key, 'base64');
    if (bytes.length !== KEY_BYTES + SALT_BYTES) throw new TypeError('An SRTP key has 30 bytes.');
    const masterKey = bytes.subarray(0, KEY_BYTES);
    const masterSalt = bytes.subarray(KEY_BYTES);
    this.encryptionKey = deriveSrtpKey(masterKey, masterSalt, LABEL_ENCRYPTION, KEY_BYTES);
    this.authenticationKey = deriveSrtpKey(masterKey, masterSalt, LABEL_AUTHENTICATION, AUTH_KEY_BYTES);
    this.salt = deriveSrtpKey(masterKey, masterSalt, LABEL_SALT, SALT_BYTES);
  }

  /** Encrypts or decrypts: counter mode is its own inverse (§4.1.1). */
  protected crypt(payload: Buffer, ssrc: number, index: bigint): Buffer {
    const counter = Buffer.alloc(16);
    this.salt.copy(counter);
    counter.writeUInt32BE((counter.readUInt32BE(4) ^ ssrc) >>> 0, 4);
    const low = counter.readBigUInt64BE(8) ^ (index << 16n);
    counter.writeBigUInt64BE(low, 8);
    return createCipheriv('aes-128-ctr', this.encryptionKey, counter).update(payload);
  }

  protected tag(packet: Buffer, rollover: number): Buffer {
    const suffix = Buffer.alloc(4);
    suffix.writeUInt32BE(rollover);
    return createHmac('sha1', this.authenticationKey)
      .update(packet)
      .update(suffix)
      .digest()
      .subarray(0, TAG_BYTES);
  }
}

/** Encrypts and signs what we send: AES_CM_128_HMAC_SHA1_80 (RFC 3711, RFC 4568). */
export class SrtpSender extends SrtpStream {
  private rollover = 0;
  private lastSequence: number | null = null;

  protect(packet: Buffer): Buffer {
    const payloadAt = rtpHeaderBytes(packet) ?? packet.length;
    const sequence = packet.readUInt16BE(2);
    if (this.lastSequence !== null && sequence < this.lastSequence) this.rollover++;
    this.lastSequence = sequence;
    const index = (BigInt(this.rollover) << 16n) | BigInt(sequence);
    const encrypted = this.crypt(packet.subarray(payloadAt), packet.readUInt32BE(8), index);
    const signed = Buffer.concat([packet.subarray(0, payloadAt), encrypted]);
    return Buffer.concat([signed, this.tag(signed, this.rollover)]);
  }
}

/** What is known of one sender: the highest index that came, and which of the last 64 did. */
interface ReplayWindow {
  highest: bigint;
  seen: bigint;
}

/** Senders a peer may change between, as with transfers on its side; the oldest is forgotten. */
const MOST_SENDERS = 8;
/** A day of packets. */
const MOST_ROLLOVERS = 66;

/** Checks and decrypts what comes in; repeated packets are refused (§3.3.2). */
export class SrtpReceiver extends SrtpStream {
  private readonly windows = new Map<number, ReplayWindow>();

  /**
   * @param isResumed the stream has run for an unknown time: its first packet is tried with every count of rollovers
   *   that a call may have had
   */
  constructor(
    key: string,
    private readonly isResumed = false,
  ) {
    super(key);
  }

  /** Null for what was not made with the key, or was received before. */
  unprotect(packet: Buffer): Buffer | null {
    const payloadAt = rtpHeaderBytes(packet);
    if (payloadAt === null || packet.length < payloadAt + TAG_BYTES) return null;
    const ssrc = packet.readUInt32BE(8);
    const window = this.windows.get(ssrc);
    const signed = packet.subarray(0, packet.length - TAG_BYTES);
    const index = window
      ? this.checked(packet, indexIn(window, packet.readUInt16BE(2)))
      : this.firstIndex(packet);
    if (index === null || (window && isReplay(window, index))) return null;
    remember(window ?? this.begin(ssrc), index);
    return Buffer.concat([
      signed.subarray(0, payloadAt),
      this.crypt(signed.subarray(payloadAt), ssrc, index),
    ]);
  }

  private firstIndex(packet: Buffer): bigint | null {
    const sequence = BigInt(packet.readUInt16BE(2));
    const most = this.isResumed ? MOST_ROLLOVERS : 0;
    for (let rollover = 0; rollover <= most; rollover++) {
      const index = this.checked(packet, (BigInt(rollover) << 16n) | sequence);
      if (index !== null) return index;
    }
    return null;
  }

  /** The index, if the packet is signed with it. */
  private checked(packet: Buffer, index: bigint): bigint | null {
    if (index < 0n) return null;
    const signed = packet.subarray(0, packet.length - TAG_BYTES);
    const tag = packet.subarray(packet.length - TAG_BYTES);
    return timingSafeEqual(tag, this.tag(signed, Number(index >> 16n))) ? index : null;
  }

  private begin(ssrc: number): ReplayWindow {
    const window = { highest: -1n, seen: 0n };
    this.windows.set(ssrc, window);
    const [oldest] = this.windows.keys();
    if (this.windows.size > MOST_SENDERS && oldest !== undefined) this.windows.delete(oldest);
    return window;
  }
}

/** The index with the rollover counter that brings it closest to the last one (§3.3.1, appendix A). */
function indexIn({ highest }: ReplayWindow, sequence: number): bigint {
  const rollover = highest >> 16n;
  const last = Number(highest & 0xffffn);
  let guessed = rollover;
  if (last < 32_768 && sequence - last > 32_768) guessed = rollover - 1n;
  else if (last >= 32_768 && last - 32_768 > sequence) guessed = rollover + 1n;
  return guessed < 0n ? -1n : (guessed << 16n) | BigInt(sequence);
}

function isReplay({ highest, seen }: ReplayWindow, index: bigint): boolean {
  if (index > highest) return false;
  const age = highest - index;
  return age >= REPLAY_WINDOW || ((seen >> age) & 1n) === 1n;
}

function remember(window: ReplayWindow, index: bigint): void {
  if (index <= window.highest) {
    window.seen |= 1n << (window.highest - index);
    return;
  }
  const step = window.highest < 0n ? REPLAY_WINDOW : index - window.highest;
  window.seen = step >= REPLAY_WINDOW ? 1n : ((window.seen << step) | 1n) & ((1n << REPLAY_WINDOW) - 1n);
  window.highest = index;
}
