import { randomUUID } from 'node:crypto';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { CallsConfig, VoiceConfig } from '../../config/config.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { JobsService } from '../../queues/jobs.service.js';
import { ActiveCallsService } from '../active-calls/active-calls.service.js';
import { dialCallJob } from '../active-calls/dial-call.job.js';
import { OverloadDetector } from './overload-detector.js';
import { TimerLateness } from './timer-lateness.js';
import {
  type VoicePresence,
  type VoiceProcessAddress,
  VoiceProcessesRepository,
} from './voice-processes.repository.js';

export type { VoiceProcessAddress } from './voice-processes.repository.js';

const HEARTBEAT_MS = 5_000;
/** How soon the others hear that this process has the lines of a carrier, or has them no more. */
const LOOK_MS = 250;
/** Calls that are woken up when this process gets the lines for them; the others are found by the sweep. */
const MOST_WOKEN = 500;
const SECOND_WAKE_MS = 750;
/** Of a process that is being loaded: it does not listen yet. */
const NO_ADDRESS = '127.0.0.1:0';

/** The state of this process among the voice processes. */
export interface OwnVoiceProcess {
  readonly id: string;
  readonly address: string;
  readonly capacity: number;
  /** The share of the time since the last heartbeat in which the event loop was busy, from 0 to 1. */
  readonly load: number;
  /** Names of the carriers whose lines it has. */
  readonly carriers: readonly string[];
  readonly draining: boolean;
  /** It does not keep up with the sound of its calls, and takes no more until it does. */
  readonly overloaded: boolean;
  /** It is being loaded, and takes no calls yet. */
  readonly starting: boolean;
}

/** The processes that can carry the sound of calls, and which of them has a call. This process may be one of them. */
@Injectable()
export class VoiceProcessesService {
  /** By which this process is found, once it has joined the others. */
  readonly ownId = randomUUID();
  private joined: OwnVoiceProcess | null = null;
  private heartbeat: NodeJS.Timeout | undefined;
  private lastUse: EventLoopUtilization = performance.eventLoopUtilization();
  private readonly overload = new OverloadDetector();
  private readonly lateness = new TimerLateness((ms) => this.keepsUp(ms));

  constructor(
    private readonly processes: VoiceProcessesRepository,
    private readonly activeCalls: ActiveCallsService,
    private readonly transactions: Transactions,
    private readonly lines: CallCarriers,
    private readonly config: VoiceConfig,
    private readonly calls: CallsConfig,
    private readonly jobs: JobsService,
    private readonly logger: Logger,
  ) {}

  /** Null where this process carries no sound. */
  get own(): OwnVoiceProcess | null {
    return this.joined;
  }

  /** How late timers were in the last second, on average, in milliseconds. */
  get latenessMs(): number {
    return this.lateness.lastSecondMs;
  }

  /**
   * This process is going to take calls, once it is loaded: until then the others answer that the installation is starting.
   * Processes of 0.2.0 know no start, and ask one that drains last.
   */
  async announce(): Promise<void> {
    const { ownId: id } = this;
    const { maxCalls: capacity } = this.config;
    const starting = {
      id,
      address: NO_ADDRESS,
      capacity,
      load: 0,
      carriers: [],
      draining: true,
      starting: true,
    };
    await this.processes.beat(starting);
    this.heartbeat = setInterval(() => {
      this.processes.beat(starting).catch((err: unknown) => this.logger.warn('start not announced', { err }));
    }, HEARTBEAT_MS).unref();
  }

  /** This process takes no calls after all. */
  withdraw(): Promise<void> {
    clearInterval(this.heartbeat);
    return this.processes.remove(this.ownId);
  }

  /** From now on calls are given to this process, those that wait first. @param address where other processes reach it */
  async join(address: string): Promise<void> {
    const { maxCalls: capacity } = this.config;
    clearInterval(this.heartbeat);
    this.joined = {
      id: this.ownId,
      address,
      capacity,
      load: 0,
      carriers: this.carriersNow(),
      draining: false,
      overloaded: false,
      starting: false,
    };
    await this.processes.beat(rowOf(this.joined));
    this.lateness.start();
    await this.linesAdded(this.joined.carriers);
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
    this.lateness.stop();
    if (!this.joined) return;
    const { id } = this.joined;
    this.joined = null;
    await this.processes.markDead(id);
  }

  /**
   * How many calls more the processes take, all together; 0 where there is none.
   *
   * @param carrier the name of that whose lines are needed
   */
  countPlaces(carrier: string, tx?: Tx): Promise<number> {
    return this.processes.countPlaces(carrier, tx);
  }

  /** How many visitors' calls more they take, within the share of visitors. Negative where more were opened. */
  countVisitorPlaces(carrier: string): Promise<number> {
    return this.processes.countVisitorPlaces(carrier, this.calls.visitorShare);
  }

  /** The process that has the call, or was given it and takes such calls; null when there is none. */
  findOf(callId: number): Promise<VoiceProcessAddress | null> {
    return this.processes.findOf(callId);
  }

  /**
   * The process that has the call. An unplaced call is given to the least loaded process, where it has none, or its
   * own has died or takes no more calls. Null when there is none.
   */
  async give(callId: number): Promise<VoiceProcessAddress | null> {
    const given = await this.processes.findOf(callId);
    if (given) return given;
    return this.transactions.run(async (tx) => {
      await this.processes.lockGiving(tx);
      return (await this.processes.findOf(callId, tx)) ?? this.activeCalls.giveToVoiceProcess(callId, tx);
    });
  }

  /** Whether a process has the lines of a carrier, with or without a place for one more call. */
  async isServed(carrier: string, tx?: Tx): Promise<boolean> {
    return (await this.processes.findServing(carrier, tx)) !== null;
  }

  /** How the processes are doing, all together. */
  presence(): Promise<VoicePresence> {
    return this.processes.presence();
  }

  /** Any live process, for a request about a call that none of them has; null when there is none. */
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

  /** No process answers at its address. One that lives after all is back with its next heartbeat. */
  forget({ id }: VoiceProcessAddress): Promise<void> {
    return this.processes.markDead(id);
  }

  private carriersNow(): string[] {
    return this.lines.all
      .filter(({ media, placesHere }) => 'audio' in media && placesHere)
      .map(({ name }) => name);
  }

  /** A worker may be looking at a call at this very moment, and put it back only afterwards: so they are woken twice. */
  private async linesAdded(carriers: readonly string[]): Promise<void> {
    if (carriers.length === 0) return;
    await this.wakeWaiting(carriers);
    setTimeout(() => {
      if (!this.joined) return;
      this.wakeWaiting(carriers).catch((err: unknown) =>
        this.logger.warn('waiting calls not woken up', { err }),
      );
    }, SECOND_WAKE_MS).unref();
  }

  /** Calls that other processes could not place, because no process had the lines for them. */
  private async wakeWaiting(carriers: readonly string[]): Promise<void> {
    for (const callId of await this.processes.listWaiting(carriers, MOST_WOKEN))
      this.jobs.wake(dialCallJob, { callId });
  }

  /** Of each second. A process that takes calls again wakes those that have waited for it. */
  private keepsUp(latenessMs: number): void {
    if (!this.joined || !this.overload.observe(latenessMs)) return;
    const { isOverloaded: overloaded } = this.overload;
    this.logger.warn(
      overloaded
        ? 'voice process is overloaded: it takes no more calls until it keeps up again'
        : 'voice process keeps up again, and takes calls',
      { latenessMs: Math.round(latenessMs) },
    );
    this.joined = { ...this.joined, overloaded };
    const { carriers } = this.joined;
    void this.beat()
      .then(() => (overloaded ? undefined : this.linesAdded(carriers)))
      .catch((err: unknown) => this.logger.warn('waiting calls not woken up', { err }));
  }

  private async beat(): Promise<void> {
    if (!this.joined) return;
    const use = performance.eventLoopUtilization();
    const load = performance.eventLoopUtilization(use, this.lastUse).utilization;
    this.lastUse = use;
    const before = new Set(this.joined.carriers);
    this.joined = { ...this.joined, load, carriers: this.carriersNow() };
    const added = this.joined.carriers.filter((name) => !before.has(name));
    try {
      await this.processes.beat(rowOf(this.joined));
      await this.linesAdded(added);
    } catch (error) {
      // Other processes take this one for dead if that lasts: it gets no new calls, and keeps its running ones by their leases.
      this.logger.warn('voice process did not say that it lives', { err: error });
    }
  }
}

/** For the others, one that is overloaded takes no calls, as one that drains. */
function rowOf({ overloaded, ...process }: OwnVoiceProcess) {
  return { ...process, carriers: [...process.carriers], draining: process.draining || overloaded };
}
