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

/** Checks and decrypts what comes in; repeated packets are refused (§3.3.2). */
export class SrtpReceiver extends SrtpStream {
  /** Of the stream that was heard last. */
  private ssrc: number | null = null;
  private highest = -1n;
  private seen = 0n;

  /** Null for what was not made with the key, or was received before. */
  unprotect(packet: Buffer): Buffer | null {
    const payloadAt = rtpHeaderBytes(packet);
    if (payloadAt === null || packet.length < payloadAt + TAG_BYTES) return null;
    const ssrc = packet.readUInt32BE(8);
    const isNew = ssrc !== this.ssrc;
    const index = this.indexOf(packet.readUInt16BE(2), isNew);
    if (index < 0n || (!isNew && this.isReplay(index))) return null;
    const signed = packet.subarray(0, packet.length - TAG_BYTES);
    const tag = packet.subarray(packet.length - TAG_BYTES);
    if (!timingSafeEqual(tag, this.tag(signed, Number(index >> 16n)))) return null;
    if (isNew) this.begin(ssrc);
    this.remember(index);
    return Buffer.concat([
      signed.subarray(0, payloadAt),
      this.crypt(signed.subarray(payloadAt), ssrc, index),
    ]);
  }

  /** The index with the rollover counter that brings it closest to the last one (§3.3.1, appendix A). */
  private indexOf(sequence: number, isNew: boolean): bigint {
    if (isNew || this.highest < 0n) return BigInt(sequence);
    const rollover = this.highest >> 16n;
    const last = Number(this.highest & 0xffffn);
    let guessed = rollover;
    if (last < 32_768 && sequence - last > 32_768) guessed = rollover - 1n;
    else if (last >= 32_768 && last - 32_768 > sequence) guessed = rollover + 1n;
    return guessed < 0n ? -1n : (guessed << 16n) | BigInt(sequence);
  }

  private begin(ssrc: number): void {
    this.ssrc = ssrc;
    this.highest = -1n;
    this.seen = 0n;
  }

  private isReplay(index: bigint): boolean {
    if (index > this.highest) return false;
    const age = this.highest - index;
    return age >= REPLAY_WINDOW || ((this.seen >> age) & 1n) === 1n;
  }

  private remember(index: bigint): void {
    if (index > this.highest) {
      const step = this.highest < 0n ? REPLAY_WINDOW : index - this.highest;
      this.seen = step >= REPLAY_WINDOW ? 1n : ((this.seen << step) | 1n) & ((1n << REPLAY_WINDOW) - 1n);
      this.highest = index;
    } else {
      this.seen |= 1n << (this.highest - index);
    }
  }
}
