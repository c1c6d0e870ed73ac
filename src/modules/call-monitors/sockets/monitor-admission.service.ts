import { Injectable } from '@nestjs/common';
import type { WebSocket } from 'ws';
import { Authenticator } from '../../../common/auth/authenticator.js';
import { StreamAccessService } from '../../../common/auth/stream-access.service.js';
import { Logger } from '../../../common/observability/logger.js';
import { CallRunnerService } from '../../call-sessions/call-runner.service.js';
import { CallListService } from '../../calls/listing/call-list.service.js';
import type { CallLease } from '../../active-calls/leases/call-lease.js';
import type { Holder } from '../../active-calls/monitors/call-feed.js';
import { CallMonitorsService, type Monitor } from '../../calls/monitors/call-monitors.service.js';
import { type ListeningMonitor, MonitorCommandsService } from './monitor-commands.service.js';
import { MONITOR_CLOSE, type MonitorCloseCode } from './monitor-protocol.js';
import { MonitorSocket } from './monitor-socket.js';
import { OpenMonitorsService } from './open-monitors.service.js';

/** As long as the process talks on a call, no other party has the customer than the assistant, or a person in its place. */
const HELD_BY_ASSISTANT: Holder = { holder: 'assistant', memberName: null };

/** Lets people listen to the calls of this process, as long as they may. */
@Injectable()
export class MonitorAdmissionService {
  constructor(
    private readonly monitors: CallMonitorsService,
    private readonly runner: CallRunnerService,
    private readonly lists: CallListService,
    private readonly authenticator: Authenticator,
    private readonly access: StreamAccessService,
    private readonly commands: MonitorCommandsService,
    private readonly open: OpenMonitorsService,
    private readonly logger: Logger,
  ) {}

  /** @returns the code to close the connection with; null when the person listens */
  async admit(callId: number, token: string, socket: WebSocket): Promise<MonitorCloseCode | null> {
    const monitor = await this.monitors.redeem(callId, token);
    if (!monitor) return MONITOR_CLOSE.unauthorized;
    const refusal = await this.begin(callId, monitor, socket).catch(async (error: unknown) => {
      await this.release(callId, monitor);
      throw error;
    });
    if (refusal !== null) await this.release(callId, monitor);
    return refusal;
  }

  private async begin(callId: number, monitor: Monitor, socket: WebSocket): Promise<MonitorCloseCode | null> {
    const { caller } = monitor;
    if ((await this.authenticator.findEnded([caller])).length > 0) return MONITOR_CLOSE.rightLost;
    const state = (await this.lists.liveStates(caller.userId, [callId])).get(callId);
    if (!state) return MONITOR_CLOSE.over;
    const lease = this.runner.findOwn(callId);
    if (!lease) return MONITOR_CLOSE.elsewhere;
    const { feed } = lease;
    const listening = this.listeningOf(callId, monitor, lease, socket);
    const leave = feed.listen(listening.socket);
    if (leave === 'full') return MONITOR_CLOSE.tooMuch;
    if (leave === 'over') return MONITOR_CLOSE.over;
    socket.once('close', leave);
    // Nothing is heard before it is on record that the person listens.
    await this.commands.record(listening, 'listened');
    if (socket.readyState !== socket.OPEN) return MONITOR_CLOSE.over;
    const stopWatching = this.access.onEnd(caller, () => {
      this.commands.revoke(listening);
      listening.socket.close(MONITOR_CLOSE.rightLost);
    });
    socket.once('close', stopWatching);
    this.open.add(listening);
    await this.commands.rejoin(listening);
    if (socket.readyState !== socket.OPEN) {
      this.commands.leave(listening);
      return MONITOR_CLOSE.over;
    }
    const { holder, memberName } = feed.holderOf(state);
    listening.socket.open(
      { state: feed.state, holder, member_name: memberName, listeners: feed.listenerCount },
      feed.openTurn,
    );
    void this.openSound(listening);
    return null;
  }

  /** The customer is notified first, where the assistant is set to do so. Never fails. */
  private async openSound({ callId, lease: { feed }, socket }: ListeningMonitor): Promise<void> {
    try {
      if (await feed.gate.pass(() => feed.listenerCount > 0)) socket.openSound();
    } catch (err) {
      this.logger.error('customer not notified of a listener', { callId, err });
      socket.close(MONITOR_CLOSE.failed);
    }
  }

  private listeningOf(
    callId: number,
    monitor: Monitor,
    lease: CallLease,
    socket: WebSocket,
  ): ListeningMonitor {
    const listening: ListeningMonitor = {
      ...monitor,
      callId,
      lease,
      openCommands: 0,
      begun: Promise.resolve(),
      socket: new MonitorSocket(socket, {
        onCommand: (command) => this.commands.run(listening, command),
        onSound: (samples) => lease.feed.takeover.push(listening, samples),
        onHolder: () => listening.socket.showHolder(lease.feed.holderOf(HELD_BY_ASSISTANT)),
        onClosed: () => {
          this.commands.leave(listening);
          this.open.remove(listening);
          void this.release(callId, monitor);
        },
      }),
    };
    return listening;
  }

  /** Never fails: a listener who is not removed now counts for some seconds more. */
  private async release(callId: number, { id }: Monitor): Promise<void> {
    await this.monitors
      .release(id)
      .catch((err: unknown) => this.logger.warn('listener of a call not removed', { callId, err }));
  }
}
