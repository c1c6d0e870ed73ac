import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/auth/principal.js';
import { MembersService } from '../accounts/members/members.service.js';
import { MAX_LISTENERS } from '../active-calls/monitors/call-feed.js';
import { CallOverError } from '../calls/calls.errors.js';
import { CallsService } from '../calls/calls.service.js';
import { isLive } from '../calls/call-states.js';
import { CallMonitorsService, type MonitorGrant } from '../calls/monitors/call-monitors.service.js';
import { VoiceDispatchService } from '../voice-workers/voice-dispatch.service.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import {
  CallNotAnsweredError,
  CallWithoutSoundError,
  NoProcessOfCallError,
  TooManyListenersError,
} from './call-monitors.errors.js';

/** Gives people the right to listen to running calls. */
@Injectable()
export class CallMonitorGrantsService {
  constructor(
    private readonly calls: CallsService,
    private readonly monitors: CallMonitorsService,
    private readonly members: MembersService,
    private readonly dispatch: VoiceDispatchService,
    private readonly processes: VoiceProcessesService,
  ) {}

  /**
   * @throws CallNotFoundError | CallOverError | CallNotAnsweredError | CallWithoutSoundError | TooManyListenersError
   * @throws NoProcessOfCallError
   */
  async grant(caller: Principal, callId: number): Promise<MonitorGrant> {
    const { status, carrier } = await this.calls.get(caller.userId, callId);
    if (!isLive(status)) throw new CallOverError();
    if (status !== 'in-progress') throw new CallNotAnsweredError();
    if (carrier !== null && !this.dispatch.hasSound(carrier)) throw new CallWithoutSoundError();
    if (!(await this.processes.findOf(callId))) throw new NoProcessOfCallError();
    if ((await this.monitors.countListening(callId)) >= MAX_LISTENERS)
      throw new TooManyListenersError(MAX_LISTENERS);
    return this.monitors.grant(callId, caller, await this.nameOf(caller));
  }

  private async nameOf({ userId, memberId }: Principal): Promise<string | null> {
    if (memberId === undefined) return null;
    return (await this.members.namesOf(userId, [memberId])).get(memberId) ?? null;
  }
}
