import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hashToken, makeToken } from '../../../common/auth/opaque-token.js';
import type { Principal } from '../../../common/auth/principal.js';
import { Handles } from '../../../queues/workers/handles.js';
import type { CallMonitor } from './call-monitor.entity.js';
import { CallMonitorsRepository } from './call-monitors.repository.js';
import { sweepCallMonitorsJob } from './sweep-call-monitors.job.js';

/** The socket has to be opened within so many seconds. */
const TOKEN_LIFE_SECONDS = 30;
/** A listener whose process does not extend the row any more counts for so long. */
const LISTENER_LIFE_SECONDS = 15;

/** The right to listen to one call. */
export interface MonitorGrant {
  /** Shown once; only its hash is stored. */
  readonly token: string;
  readonly expiresAt: Date;
}

/** Who listens to a call. */
export type Monitor = Pick<CallMonitor, 'id' | 'caller' | 'memberName'>;

/** Who may listen to calls, and who listens now. */
@Injectable()
export class CallMonitorsService {
  constructor(private readonly monitors: CallMonitorsRepository) {}

  async grant(callId: number, caller: Principal, memberName: string | null): Promise<MonitorGrant> {
    const token = makeToken('prosa_mon_');
    const monitor = { id: randomUUID(), callId, caller, memberName, tokenHash: hashToken(token) };
    return { token, expiresAt: await this.monitors.add(monitor, TOKEN_LIFE_SECONDS) };
  }

  /** Null when the token is not of the call, was used, or came too late. */
  redeem(callId: number, token: string): Promise<Monitor | null> {
    return this.monitors.redeem(callId, hashToken(token), LISTENER_LIFE_SECONDS);
  }

  /** These still listen. */
  async extend(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.monitors.extend(ids, LISTENER_LIFE_SECONDS);
  }

  /** The person does not listen any more. */
  release(id: string): Promise<void> {
    return this.monitors.remove(id);
  }

  countListening(callId: number): Promise<number> {
    return this.monitors.countListening(callId);
  }

  /** Safe in many processes at once. */
  @Handles(sweepCallMonitorsJob)
  sweep(): Promise<void> {
    return this.monitors.removeOld();
  }
}
