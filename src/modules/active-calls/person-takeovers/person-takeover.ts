import type { Principal } from '../../../common/auth/principal.js';
import { isOfPerson } from '../../../common/auth/scopes.js';
import type { PersonVoice } from '../../../runtime/call/session/person-on-call.js';

/** A person who may take calls over, as the database keeps them. */
export interface CallPerson {
  /** Tells one person from another: a member, the owner of the account, an API key, or a session of a limited key. */
  readonly key: string;
  /** Null for the owner and for API keys, as is the next. */
  readonly memberId: number | null;
  readonly memberName: string | null;
}

export function callPersonOf(
  caller: Pick<Principal, 'memberId' | 'via' | 'tokenId' | 'scopes'>,
  memberName: string | null,
): CallPerson {
  const memberId = caller.memberId ?? null;
  const token = caller.via === 'session' ? 'session' : 'key';
  const key = isOfPerson(caller) ? keyOfPerson(memberId) : `${token} ${caller.tokenId}`;
  return { key, memberId, memberName };
}

/** @param memberId null: the owner of the account */
export function keyOfPerson(memberId: number | null): string {
  return memberId === null ? 'owner' : `member ${memberId}`;
}

/** Microphones send all the time: a connection that was silent for so long is lost, although it was not closed. */
const SILENT_MS = 2_000;

/** The connection of a person; compared by identity. */
export type Desk = object;

/** Who has taken over one call of this process, and by which connection. */
export class PersonTakeover {
  private holder: CallPerson | null = null;
  private desk: Desk | null = null;
  private voice: PersonVoice | null = null;
  private away: NodeJS.Timeout | null = null;
  private isClosed = false;
  private soundAtMs = -Infinity;

  /** Null while the assistant has the customer. */
  get person(): CallPerson | null {
    return this.holder;
  }

  isHeldBy(desk: Desk): boolean {
    return this.desk === desk;
  }

  /** Whether another person has taken over. */
  isHeldByOther({ key }: CallPerson): boolean {
    return this.holder !== null && this.holder.key !== key;
  }

  /** @returns false when another person has taken over */
  claim(person: CallPerson, desk: Desk | null): boolean {
    if (this.isClosed || this.isHeldByOther(person)) return false;
    // The object of the first claim stays: a takeover that is still being recorded recognises itself by it.
    this.holder ??= person;
    this.desk = desk;
    if (desk) this.cancelWait();
    return true;
  }

  /** A person who has the call connects once more, which counts where nothing comes by the connection they had. */
  reconnect({ key }: CallPerson, desk: Desk): void {
    const isSilent = performance.now() - this.soundAtMs > SILENT_MS;
    if (this.holder?.key === key && (this.desk === null || isSilent)) this.claim(this.holder, desk);
  }

  /** @param voice of the person; null: they are not heard */
  speakWith(voice: PersonVoice | null): void {
    this.voice = voice;
  }

  /** Sound of a connection; dropped where it does not hold the call. */
  push(desk: Desk, samples: Int16Array): void {
    if (this.desk !== desk) return;
    this.soundAtMs = performance.now();
    this.voice?.push(samples);
  }

  /** The connection is gone, and the person may come back. @param onStayedAway called when they have not done so in time */
  waitForReturn(ms: number, onStayedAway: () => void): void {
    if (this.isClosed || !this.holder) return;
    this.desk = null;
    this.cancelWait();
    this.away = setTimeout(onStayedAway, ms);
    this.away.unref();
  }

  /** The assistant has the customer again. */
  release(): void {
    this.cancelWait();
    this.holder = this.desk = this.voice = null;
  }

  /** The call is over here: no person takes over any more. */
  close(): void {
    this.isClosed = true;
    this.release();
  }

  private cancelWait(): void {
    if (this.away) clearTimeout(this.away);
    this.away = null;
  }
}
