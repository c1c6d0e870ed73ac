import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { EndRequestsService } from '../../active-calls/ends/end-requests.service.js';
import type { CallFeed, CallTalk } from '../../active-calls/monitors/call-feed.js';
import { CallOverError } from '../../calls/calls.errors.js';
import { CallDeskService } from '../../calls/desk/call-desk.service.js';
import type { DeskEvent } from '../../calls/desk/desk-entry.js';
import type { Monitor } from '../../calls/monitors/call-monitors.service.js';
import { MONITOR_CLOSE, type MonitorCommand } from './monitor-protocol.js';
import type { MonitorSocket } from './monitor-socket.js';

/** Commands of one listener that have not been answered. */
const MAX_OPEN = 8;

type SayCommand = MonitorCommand & { readonly type: 'say' };

/** A person who listens to a call of this process. */
export interface ListeningMonitor extends Monitor {
  readonly callId: number;
  readonly feed: CallFeed;
  readonly socket: MonitorSocket;
  /** Commands that have not been answered. */
  openCommands: number;
  /** Resolves when the last command has begun: they begin in their order. */
  begun: Promise<void>;
}

/** Does what people who listen to a call ask for. Each command is recorded on the call before it is carried out. */
@Injectable()
export class MonitorCommandsService {
  constructor(
    private readonly desk: CallDeskService,
    private readonly endRequests: EndRequestsService,
    private readonly logger: Logger,
  ) {}

  /** @throws the error of the database */
  record({ callId, caller, memberName }: ListeningMonitor, event: DeskEvent, text: string | null = null) {
    return this.desk.record(caller.userId, callId, { event, member_name: memberName, text });
  }

  run(monitor: ListeningMonitor, command: MonitorCommand): void {
    if (monitor.openCommands >= MAX_OPEN) return monitor.socket.close(MONITOR_CLOSE.tooMuch);
    monitor.openCommands++;
    monitor.begun = monitor.begun
      .then(() => this.begin(monitor, command))
      .catch((err: unknown) => this.failed(monitor, command, err));
  }

  /** Returns when the next command may begin. */
  private async begin(monitor: ListeningMonitor, command: MonitorCommand): Promise<void> {
    const { caller, callId } = monitor;
    const { talk } = monitor.feed;
    if (command.type === 'hangup') {
      await this.record(monitor, 'hung_up');
      await this.endRequests.hangUp(caller.userId, callId).catch((error: unknown) => {
        if (!(error instanceof CallOverError)) throw error;
      });
      return this.answered(monitor, command);
    }
    if (!talk) {
      monitor.openCommands--;
      return monitor.socket.refuse(command, 'not_held');
    }
    if (command.type === 'whisper') {
      await this.record(monitor, 'whispered', command.text);
      talk.whisper(command.text);
      return this.answered(monitor, command);
    }
    await this.record(monitor, 'said', command.text);
    void this.say(monitor, talk, command);
  }

  /** Speaking takes its time; other commands begin in the meantime. Never fails. */
  private async say(monitor: ListeningMonitor, talk: CallTalk, command: SayCommand): Promise<void> {
    try {
      await talk.say(command.text);
      this.answered(monitor, command);
    } catch (error) {
      this.failed(monitor, command, error);
    }
  }

  private answered(monitor: ListeningMonitor, command: MonitorCommand): void {
    monitor.openCommands--;
    monitor.socket.done(command);
  }

  private failed(
    { callId, socket }: ListeningMonitor,
    { type: command }: MonitorCommand,
    err: unknown,
  ): void {
    this.logger.error('command of a listener failed', { callId, command, err });
    socket.close(MONITOR_CLOSE.failed);
  }
}
