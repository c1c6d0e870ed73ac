import { randomUUID } from 'node:crypto';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { VoiceConfig } from '../../../config/config.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import { type VoiceProcessAddress, VoiceProcessesRepository } from './voice-processes.repository.js';

export type { VoiceProcessAddress } from './voice-processes.repository.js';

const HEARTBEAT_MS = 5_000;
/** How soon the others hear that this process has the lines of a carrier, or has them no more. */
const LOOK_MS = 250;

/** How this process stands among the voice processes. */
export interface OwnVoiceProcess {
  readonly id: string;
  readonly address: string;
  readonly capacity: number;
  /** The share of the time since the last heartbeat in which the event loop was busy, from 0 to 1. */
  readonly load: number;
  /** Names of the carriers whose lines it has. */
  readonly carriers: readonly string[];
  readonly draining: boolean;
}

/** The processes that can carry the sound of calls, and which of them has a call. This process may be one of them. */
@Injectable()
export class VoiceProcessesService {
  /** By which this process is found, once it has joined the others. */
  readonly ownId = randomUUID();
  private joined: OwnVoiceProcess | null = null;
  private heartbeat: NodeJS.Timeout | undefined;
  private lastUse: EventLoopUtilization = performance.eventLoopUtilization();

  constructor(
    private readonly processes: VoiceProcessesRepository,
    private readonly transactions: Transactions,
    private readonly lines: CallCarriers,
    private readonly config: VoiceConfig,
    private readonly logger: Logger,
  ) {}

  /** Null where this process carries no sound. */
  get own(): OwnVoiceProcess | null {
    return this.joined;
  }

  /** From now on calls are given to this process. @param address where other processes reach it */
  async join(address: string): Promise<void> {
    const { maxCalls: capacity } = this.config;
    this.joined = {
      id: this.ownId,
      address,
      capacity,
      load: 0,
      carriers: this.carriersNow(),
      draining: false,
    };
    await this.processes.beat(withList(this.joined));
    let beatAtMs = performance.now();
    this.heartbeat = setInterval(() => {
      const isDue = performance.now() - beatAtMs >= HEARTBEAT_MS;
      if (!isDue && this.joined?.carriers.join() === this.carriersNow().join()) return;
      beatAtMs = performance.now();
      void this.beat();
    }, LOOK_MS).unref();
  }

  /** No more calls are given to this process. */
  async drain(): Promise<void> {
    if (!this.joined) return;
    this.joined = { ...this.joined, draining: true };
    await this.beat();
  }

  /** This process is gone for the others. */
  async leave(): Promise<void> {
    clearInterval(this.heartbeat);
    if (!this.joined) return;
    const { id } = this.joined;
    this.joined = null;
    await this.processes.remove(id);
  }

  /**
   * How many calls more the processes take, all together; 0 where there is none.
   *
   * @param carrier the name of that whose lines are needed
   */
  countPlaces(carrier: string, tx?: Tx): Promise<number> {
    return this.processes.countPlaces(carrier, tx);
  }

  /** The process that has the call, or was given it and takes such calls; null when there is none. */
  findOf(callId: number): Promise<VoiceProcessAddress | null> {
    return this.processes.findOf(callId);
  }

  /**
   * The process that has the call. One that nobody has placed yet is given to the least loaded where it has none, or its
   * own has died or takes no more calls. Null when there is none.
   */
  async give(callId: number): Promise<VoiceProcessAddress | null> {
    const given = await this.processes.findOf(callId);
    if (given) return given;
    return this.transactions.run(async (tx) => {
      await this.processes.lockGiving(tx);
      return (await this.processes.findOf(callId, tx)) ?? this.processes.giveCall(callId, tx);
    });
  }

  /** Any process that lives, for whoever asks for a call that none of them has; null when there is none. */
  findAny(): Promise<VoiceProcessAddress | null> {
    return this.processes.findAny();
  }

  /** The process of that id; null when it is gone. */
  find(id: string): Promise<VoiceProcessAddress | null> {
    return this.processes.find(id);
  }

  /** A process that takes calls over the lines of a carrier; null when there is none. */
  findServing(carrier: string): Promise<VoiceProcessAddress | null> {
    return this.processes.findServing(carrier);
  }

  /**
   * The others that live and take calls; empty where this process carries no sound.
   *
   * @param carrier those alone that have its lines
   */
  async listOthers(carrier?: string): Promise<readonly VoiceProcessAddress[]> {
    return this.joined ? this.processes.listOthers(this.joined.id, carrier) : [];
  }

  /** Nobody answers at its address. One that lives after all is back with its next heartbeat. */
  forget({ id }: VoiceProcessAddress): Promise<void> {
    return this.processes.markDead(id);
  }

  private carriersNow(): string[] {
    return this.lines.all
      .filter(({ media, placesHere }) => 'audio' in media && placesHere)
      .map(({ name }) => name);
  }

  private async beat(): Promise<void> {
    if (!this.joined) return;
    const use = performance.eventLoopUtilization();
    const load = performance.eventLoopUtilization(use, this.lastUse).utilization;
    this.lastUse = use;
    this.joined = { ...this.joined, load, carriers: this.carriersNow() };
    try {
      await this.processes.beat(withList(this.joined));
    } catch (error) {
      // Taken for dead if that goes on: no new calls come, and those that run go on by their leases.
      this.logger.warn('voice process did not say that it lives', { err: error });
    }
  }
}

function withList(process: OwnVoiceProcess) {
  return { ...process, carriers: [...process.carriers] };
}
