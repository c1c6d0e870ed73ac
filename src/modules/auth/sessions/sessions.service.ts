import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../common/auth/principal.js';
import type { Tx } from '../../../database/transactions.js';
import { SessionNotFoundError } from '../auth.errors.js';
import type { Session } from './session.entity.js';
import {
  type LiveSession,
  type NewSession,
  type SessionHolder,
  SessionsRepository,
} from './sessions.repository.js';

/** More than people have devices; a further login ends the oldest session. */
const MAX_SESSIONS = 200;

/** A session, and whether the caller speaks through it. */
export interface ListedSession {
  readonly session: Session;
  readonly isCurrent: boolean;
}

@Injectable()
export class SessionsService {
  constructor(private readonly sessions: SessionsRepository) {}

  findLive(tokenHash: Buffer): Promise<LiveSession | null> {
    return this.sessions.findLive(tokenHash);
  }

  /** Those of the sessions that have not ended. */
  async findLiveAmong(ids: readonly number[]): Promise<readonly LiveSession[]> {
    return ids.length === 0 ? [] : this.sessions.findLiveAmong(ids);
  }

  /** Returns the id of the session. */
  async add(session: NewSession, tx: Tx): Promise<number> {
    const id = await this.sessions.add(session, tx);
    await this.sessions.deleteExcess(session, MAX_SESSIONS, tx);
    return id;
  }

  /** Those that have not ended, the newest first. */
  async list(caller: Principal): Promise<ListedSession[]> {
    const sessions = await this.sessions.listLive(holderOf(caller), MAX_SESSIONS);
    const current = currentId(caller);
    return sessions.map((session) => ({ session, isCurrent: session.id === current }));
  }

  /** Ends a session of the caller, the current one too. @throws SessionNotFoundError */
  async end(caller: Principal, id: number): Promise<void> {
    if (!(await this.sessions.delete(holderOf(caller), id))) throw new SessionNotFoundError();
  }

  /** Ends the session that the caller uses; one that has ended already is no error. */
  async endCurrent(caller: Principal): Promise<void> {
    await this.sessions.delete(holderOf(caller), caller.tokenId);
  }

  /** Ends all sessions but the one the caller speaks through. Who calls with a key has none, and ends all. */
  async endOthers(caller: Principal, tx?: Tx): Promise<void> {
    await this.sessions.deleteOthers(holderOf(caller), currentId(caller), tx);
  }

  /** Of one person; others in the account keep theirs. */
  async endAll(person: SessionHolder, tx: Tx): Promise<void> {
    await this.sessions.deleteOthers(person, null, tx);
  }

  /** Of everybody in the account. */
  endAllOf(userId: number, tx: Tx): Promise<void> {
    return this.sessions.deleteAll(userId, tx);
  }

  async hasAny(userId: number): Promise<boolean> {
    return (await this.sessions.listLive({ userId, memberId: null }, 1)).length > 0;
  }
}

function holderOf({ userId, memberId }: Principal): SessionHolder {
  return { userId, memberId: memberId ?? null };
}

function currentId({ via, tokenId }: Principal): number | null {
  return via === 'session' ? tokenId : null;
}
