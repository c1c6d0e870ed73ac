import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { CallListService } from '../../calls/listing/call-list.service.js';
import { CallMonitorsService } from '../../calls/monitors/call-monitors.service.js';
import type { ListeningMonitor } from './monitor-commands.service.js';
import { MONITOR_CLOSE } from './monitor-protocol.js';

/** How soon listeners see that another party has the customer. */
const LOOK_MS = 1_000;
/** A third of the time after which a listener counts as gone. */
const EXTEND_MS = 5_000;
const ALIVE_MS = 15_000;

/** The people who listen to calls of this process: says in the database that they are there, and shows them who has the customer. */
@Injectable()
export class OpenMonitorsService implements OnModuleDestroy {
  private readonly open = new Set<ListeningMonitor>();
  private timers: NodeJS.Timeout[] = [];
  private isLooking = false;

  constructor(
    private readonly monitors: CallMonitorsService,
    private readonly lists: CallListService,
    private readonly logger: Logger,
  ) {}

  onModuleDestroy(): void {
    for (const timer of this.timers) clearInterval(timer);
    for (const { socket } of this.open) socket.close(MONITOR_CLOSE.elsewhere);
  }

  add(monitor: ListeningMonitor): void {
    this.open.add(monitor);
    if (this.timers.length > 0) return;
    this.timers = [
      setInterval(() => void this.look(), LOOK_MS),
      setInterval(() => void this.extend(), EXTEND_MS),
      setInterval(() => this.checkAlive(), ALIVE_MS),
    ];
    for (const timer of this.timers) timer.unref();
  }

  remove(monitor: ListeningMonitor): void {
    this.open.delete(monitor);
  }

  private checkAlive(): void {
    for (const { socket } of this.open) socket.checkAlive();
  }

  private async extend(): Promise<void> {
    try {
      await this.monitors.extend([...this.open].map(({ id }) => id));
    } catch (err) {
      this.logger.warn('listeners of calls not counted', { err });
    }
  }

  private async look(): Promise<void> {
    if (this.isLooking || this.open.size === 0) return;
    this.isLooking = true;
    try {
      for (const userId of new Set([...this.open].map(({ caller }) => caller.userId)))
        await this.lookAt(userId);
    } catch (err) {
      this.logger.warn('holders of calls not read', { err });
    } finally {
      this.isLooking = false;
    }
  }

  private async lookAt(userId: number): Promise<void> {
    const monitors = [...this.open].filter(({ caller }) => caller.userId === userId);
    const states = await this.lists.liveStates(userId, [...new Set(monitors.map(({ callId }) => callId))]);
    for (const { callId, lease, socket } of monitors) {
      const state = states.get(callId);
      if (state) socket.showHolder(lease.feed.holderOf(state));
    }
  }
}
