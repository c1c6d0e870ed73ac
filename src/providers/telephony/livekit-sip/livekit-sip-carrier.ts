import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveKitConfig } from '../../../config/config.js';
import type { AudioLine } from '@prosa/audio';
import { CallCarrier } from '../call-carrier.js';
import type { CallCarrierCapabilities, PlacementPace } from '../call/call-capabilities.js';
import type { CallEnd, CallEvent } from '../call/carrier-call.js';
import type { CallLookup, PlaceCall, PlacedCall } from '../call/call-placing.js';
import type { CallMedia, TransferCall } from '../call/call-line.js';
import type { InboundOffer } from '../call/incoming-calls.js';
import { CallCarrierError } from '../call-carrier-error.js';
import { EventQueue } from '../event-queue.js';
import { lineClock, type LineClock } from '../line-clock.js';
import { LiveKitApi, LiveKitApiError } from '../livekit/livekit-api.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import type { TrunkNumber } from '../sip/carrier/trunk-number.js';
import { type JoinCalleeRoom, joinCalleeRoom } from './callee-room.js';
import { CallRooms } from './call-rooms.js';
import { LiveKitSipCall } from './livekit-sip-call.js';
import { type DialTimes, DIAL_TIMES, LiveKitSipDialling } from './livekit-sip-dialling.js';
import { LiveKitSipRequests, transferOutcomeOf } from './livekit-sip-requests.js';
import { destinationOf, referTargetOf } from './sip-destination.js';

/** Ended calls are known for so long. */
const REMEMBERED_MS = 60_000;
const DIGITS = /^[\dA-D*#w]+$/i;
/** Between two keys: more than LiveKit takes to play one. */
const KEY_MS = 300;
const PAUSE_MS = 500;
/** So many keys are played within the time of a request. */
const MAX_DIGITS = 32;

const ENDED_HERE: CallEnd = { outcome: 'no-answer', by: 'platform', reason: null, answeredMs: 0 };

const CAPABILITIES: CallCarrierCapabilities = {
  // A room of the same name is the same room, but a second request would call into it again.
  keyRetentionMs: 0,
  provesAbsence: false,
  transfer: 'refer',
  sendDigits: true,
  inBandDigits: false,
  inbound: false,
  machineDetection: false,
  reachesPeople: true,
  // The call stays in its room when the process dies, with no agent on the line: another process ends it.
  reattachable: false,
  livesInProcess: true,
  placementsPerSecond: null,
  placementsPerSecondOfTrunk: null,
  speed: 1,
};

/** Where the trunks of numbers are kept. */
export interface TrunkNumberSource {
  /** Null for a number without a trunk that can be used. */
  findTrunk(phoneNumberId: number): Promise<TrunkNumber | null>;
}

export interface LiveKitSipOptions {
  readonly server: LiveKitConfig;
  /** Begins the names of rooms: several installations may share a server. */
  readonly roomPrefix: string;
  readonly allowCidrs: readonly string[];
  /** What operators take; null: no limit. */
  readonly pace?: PlacementPace;
  /** What failed in the background. */
  readonly onTrouble: (error: unknown) => void;
  readonly join?: JoinCalleeRoom;
  readonly times?: DialTimes;
  readonly clock?: LineClock;
}

/**
 * Calls over the SIP trunks of accounts, by the SIP service of a LiveKit server. Each call has a room of that server, in which
 * are who is called, and this process for the assistant. Calls that come in are not taken.
 *
 * Written after livekit_sip.proto of livekit/protocol, and https://docs.livekit.io/reference/telephony/sip-api/
 */
export class LiveKitSipCarrier extends CallCarrier {
  readonly name = 'livekit-sip';
  readonly capabilities: CallCarrierCapabilities;
  readonly media: CallMedia;
  private readonly calls = new Map<string, LiveKitSipCall>();
  private readonly requests: LiveKitSipRequests;
  private readonly rooms: CallRooms;
  private readonly dialling: LiveKitSipDialling;
  private readonly times: DialTimes;
  private readonly clock: LineClock;
  private trunks: TrunkNumberSource | null = null;

  constructor(private readonly options: LiveKitSipOptions) {
    super();
    const { server, roomPrefix, onTrouble } = options;
    const { join = joinCalleeRoom, times = DIAL_TIMES, clock = lineClock } = options;
    const api = new LiveKitApi(server);
    this.times = times;
    this.clock = clock;
    this.requests = new LiveKitSipRequests(api);
    this.rooms = new CallRooms(server, roomPrefix, new LiveKitRooms(api), join, onTrouble);
    this.dialling = new LiveKitSipDialling(this.requests, this.rooms, times, onTrouble);
    this.capabilities = { ...CAPABILITIES, ...options.pace };
    const audio: AudioLine = { open: async (callId, signal) => this.get(callId).openAudio(signal) };
    this.media = { audio };
  }

  /** Each trunk is an account's own. */
  override get isSharedByAccounts(): boolean {
    return false;
  }

  /** Calls are placed from now on. */
  serve(trunks: TrunkNumberSource): void {
    this.trunks = trunks;
  }

  override get placesHere(): boolean {
    return this.trunks !== null;
  }

  async place(request: PlaceCall): Promise<PlacedCall> {
    const { key, from, to } = request;
    const callId = this.rooms.nameOf(key);
    const known = this.calls.get(callId);
    if (known) {
      const isSame = known.facts.to === to && known.facts.from === from;
      if (!isSame) throw new CallCarrierError('rejected', 'no');
      return { callId, repeated: true };
    }
    const call = new LiveKitSipCall({ callId, key, from, to }, this.clock, (ended) => this.ended(ended));
    // Before anything is waited for, so that a second request finds it.
    this.calls.set(callId, call);
    try {
      const { number, destination } = await this.destinationOf(request);
      call.referTargetOf = (target) => referTargetOf(number, target);
      await this.dialling.dial(call, number, destination, request.ringingTimeoutMs);
    } catch (error) {
      if (error instanceof CallCarrierError && error.sent === 'maybe') this.doubt(call);
      else this.calls.delete(callId);
      throw error;
    }
    return { callId, repeated: false };
  }

  /** Also finds calls of processes that are gone, to be hung up. */
  async findCall(key: string): Promise<CallLookup> {
    const callId = this.rooms.nameOf(key);
    const call = this.calls.get(callId);
    if (call?.hasBegun || call?.record.end) return { found: 'yes', call: call.record.state };
    const found = await this.rooms.look(callId, key);
    return found ? { found: 'yes', call: found } : { found: 'unknown' };
  }

  watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent> {
    const events = new EventQueue<CallEvent>(signal);
    const call = this.calls.get(callId);
    if (call) call.record.watch(events);
    else events.fail(new CallCarrierError('no-such-call', 'no'));
    return events;
  }

  /** Also ends calls of other processes, and of those that are gone: LiveKit has them. */
  async hangUp(callId: string): Promise<void> {
    const call = this.calls.get(callId);
    if (call?.record.end) return;
    if (!call && !this.rooms.isName(callId)) throw new CallCarrierError('no-such-call', 'no');
    if (call) call.isHungUp = true;
    await this.rooms.end(callId);
    call?.finish(ENDED_HERE);
  }

  async transfer(
    callId: string,
    { transferId, to, briefing, ringingTimeoutMs }: TransferCall,
  ): Promise<void> {
    if (briefing !== null) throw new CallCarrierError('not-supported', 'no');
    const call = this.get(callId);
    call.record.requireAnswered();
    const target = call.referTargetOf(to);
    if (target === null) throw new CallCarrierError('rejected', 'no');
    call.record.beginTransfer();
    const outcome = this.requests.transfer(callId, target, ringingTimeoutMs).catch((error: unknown) => {
      if (error instanceof LiveKitApiError) return transferOutcomeOf(error);
      return 'failed' as const;
    });
    // LiveKit tells how the transfer went, and nothing before: who refuses to transfer does it at once.
    const begun = new Promise<'begun'>((resolve) => setTimeout(resolve, this.times.referMs, 'begun'));
    if ((await Promise.race([outcome, begun])) === null) {
      call.record.forgetTransfer();
      throw new CallCarrierError('not-supported', 'no');
    }
    void outcome.then((last) => {
      if (!call.record.end) call.record.endTransfer(transferId, last ?? 'failed');
    });
  }

  async sendDigits(callId: string, digits: string): Promise<void> {
    const room = this.get(callId).requireRoom();
    if (!DIGITS.test(digits) || digits.length > MAX_DIGITS) throw new CallCarrierError('rejected', 'no');
    for (const [at, key] of digits.toUpperCase().split('').entries()) {
      if (at > 0) await sleep(KEY_MS);
      if (key === 'W') await sleep(PAUSE_MS);
      else {
        await room.sendKey(key).catch((cause: unknown) => {
          throw new CallCarrierError(this.get(callId).record.end ? 'call-over' : 'unavailable', 'maybe', {
            cause,
          });
        });
      }
    }
  }

  inboundOffers(signal: AbortSignal): AsyncIterableIterator<InboundOffer> {
    return new EventQueue<InboundOffer>(signal);
  }

  async accept(): Promise<void> {
    throw new CallCarrierError('no-such-call', 'no');
  }

  async reject(): Promise<void> {
    throw new CallCarrierError('no-such-call', 'no');
  }

  async close(): Promise<void> {
    this.trunks = null;
    for (const call of this.calls.values()) {
      call.isHungUp = true;
      call.finish(ENDED_HERE);
    }
    await this.rooms.close();
  }

  private get(callId: string): LiveKitSipCall {
    const call = this.calls.get(callId);
    if (!call) throw new CallCarrierError('no-such-call', 'no');
    return call;
  }

  private async destinationOf(request: PlaceCall) {
    const { trunks } = this;
    if (!trunks) throw new CallCarrierError('unavailable', 'no');
    const number = await trunks.findTrunk(request.phoneNumberId ?? 0).catch((cause: unknown) => {
      throw new CallCarrierError('unavailable', 'no', { cause });
    });
    const destination = number && destinationOf(number, request, this.options.allowCidrs);
    if (!destination) throw new CallCarrierError('rejected', 'no');
    return { number, destination };
  }

  private ended(call: LiveKitSipCall): void {
    const { callId } = call.facts;
    this.rooms.endLater(callId);
    setTimeout(() => this.calls.delete(callId), REMEMBERED_MS).unref();
  }

  /** The process that placed the call looks for it by its key; where it is not found, it is dropped. */
  private doubt(call: LiveKitSipCall): void {
    const finishUnwatched = () => {
      if (!call.record.isWatched) call.finish({ ...ENDED_HERE, reason: 'in doubt' });
    };
    setTimeout(finishUnwatched, this.times.doubtMs).unref();
  }
}
