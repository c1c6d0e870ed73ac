import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { EndRequestsService } from '../../active-calls/ends/end-requests.service.js';
import type { CallLease } from '../../active-calls/leases/call-lease.js';
import type { CallTalk } from '../../active-calls/monitors/call-feed.js';
import { callPersonOf } from '../../active-calls/person-takeovers/person-takeover.js';
import { type HeldCall, PersonTakeoversService } from '../../person-takeovers/person-takeovers.service.js';
import { CallOverError } from '../../calls/calls.errors.js';
import { CallDeskService } from '../../calls/desk/call-desk.service.js';
import type { DeskEvent } from '../../calls/desk/desk-entry.js';
import type { Monitor } from '../../calls/monitors/call-monitors.service.js';
import { type CommandRefusal, MONITOR_CLOSE, type MonitorCommand } from './monitor-protocol.js';
import type { MonitorSocket } from './monitor-socket.js';

/** Commands of one listener that have not been answered. */
const MAX_OPEN = 8;

type TransferCommand = MonitorCommand & { readonly type: 'transfer' };
type SayCommand = MonitorCommand & { readonly type: 'say' };

/** A person who listens to a call of this process. */
export interface ListeningMonitor extends Monitor {
  readonly callId: number;
  readonly lease: CallLease;
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
    private readonly takeovers: PersonTakeoversService,
    private readonly logger: Logger,
  ) {}

  /** @throws the error of the database */
  record({ callId, caller, memberName }: ListeningMonitor, event: DeskEvent, text: string | null = null) {
    return this.desk.record(caller.userId, callId, { event, member_name: memberName, text });
  }

  /** The connection is lost. */
  leave(monitor: ListeningMonitor): void {
    this.takeovers.leave(heldCallOf(monitor), monitor);
  }

  /** The right is lost. */
  revoke(monitor: ListeningMonitor): void {
    this.takeovers.revoke(heldCallOf(monitor), monitor);
  }

  /** The person may have had the call by another connection. @throws the error of the database */
  rejoin(monitor: ListeningMonitor): Promise<void> {
    return this.takeovers.rejoin(
      heldCallOf(monitor),
      callPersonOf(monitor.caller, monitor.memberName),
      monitor,
    );
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
    if (command.type === 'hangup') {
      await this.record(monitor, 'hung_up');
      await this.endRequests.hangUp(caller.userId, callId).catch((error: unknown) => {
        if (!(error instanceof CallOverError)) throw error;
      });
      return this.answered(monitor, command);
    }
    const refused = await this.beginTalk(monitor, command);
    if (refused) this.refused(monitor, command, refused);
    else if (command.type !== 'say') this.answered(monitor, command);
  }

  private async beginTalk(
    monitor: ListeningMonitor,
    command: Exclude<MonitorCommand, { readonly type: 'hangup' }>,
  ): Promise<CommandRefusal | null> {
    const call = heldCallOf(monitor);
    const person = callPersonOf(monitor.caller, monitor.memberName);
    const { talk, takeover } = monitor.lease.feed;
    switch (command.type) {
      case 'take_over':
        return this.takeovers.takeOver(call, person, monitor);
      case 'hand_back':
        return this.takeovers.handBack(call, monitor, command.note);
      case 'whisper':
        if (!talk) return 'not_held';
        await this.record(monitor, 'whispered', command.text);
        talk.whisper(command.text);
        return null;
      case 'say':
        if (!talk) return 'not_held';
        if (takeover.person) return 'held';
        await this.record(monitor, 'said', command.text);
        void this.say(monitor, talk, command);
        return null;
      case 'transfer':
        if (!talk?.desk.isTalking) return 'not_held';
        return takeover.isHeldByOther(person) ? 'held' : this.transfer(monitor, talk, command);
    }
  }

  /** The call is being transferred when this returns; whether the far end answers is seen by who has the customer. */
  private async transfer(
    monitor: ListeningMonitor,
    { desk }: CallTalk,
    { phone_number: wanted }: TransferCommand,
  ): Promise<CommandRefusal | null> {
    const target = await desk.targetOf(wanted);
    if ('refused' in target) return target.refused;
    await this.record(monitor, 'transferred', target.e164);
    desk
      .transfer(target.e164)
      .catch((err: unknown) => this.logger.error('call not transferred', { callId: monitor.callId, err }));
    return null;
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

  private refused(monitor: ListeningMonitor, command: MonitorCommand, error: CommandRefusal): void {
    monitor.openCommands--;
    monitor.socket.refuse(command, error);
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

function heldCallOf({ caller, lease }: ListeningMonitor): HeldCall {
  return { userId: caller.userId, lease };
}
