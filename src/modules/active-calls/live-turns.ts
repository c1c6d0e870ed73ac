import { storableText } from '../../common/text/storable-text.js';
import type { TranscriptTurn } from '../../runtime/call/session/call-setup.js';
import type { RecordedTurn, TurnsFrom } from '../calls/turns/recorded-turns.js';

/** What has been said in a call that this process talks on, and how much of it is on record. */
export class LiveTurns {
  private turns: TranscriptTurn[] = [];
  /** What comes before is on record as it is. */
  private unwrittenFrom = 0;
  private writing: Promise<void> = Promise.resolve();
  /** Hears that there is something to write. */
  onNoted: () => void = () => undefined;

  get all(): readonly TranscriptTurn[] {
    return this.turns;
  }

  /** Begins with what is on record. */
  load(recorded: readonly RecordedTurn[]): void {
    this.turns = recorded.map(
      ({ role, text, startMs, endMs, interrupted, assistantId: id, assistantName, memberName }) => {
        const assistant = id === null ? {} : { assistant: { id, name: assistantName ?? '' } };
        const member = role === 'agent' ? { memberName } : {};
        return { speaker: role, text, startMs, endMs, interrupted, ...assistant, ...member };
      },
    );
    this.unwrittenFrom = this.turns.length;
  }

  /** @param earlier the turn as it was noted before, which this one replaces */
  note(turn: TranscriptTurn, earlier?: TranscriptTurn): void {
    const known = earlier ? this.turns.lastIndexOf(earlier) : -1;
    const place = known === -1 ? this.turns.length : known;
    this.turns[place] = turn;
    this.unwrittenFrom = Math.min(this.unwrittenFrom, place);
    this.onNoted();
  }

  /** What is not on record, in the form it is kept. */
  get unwritten(): TurnsFrom {
    return { position: this.unwrittenFrom, turns: this.turns.slice(this.unwrittenFrom).map(toRecord) };
  }

  /**
   * Writes what is not on record, after what is being written: a turn as it was before must not come last.
   *
   * @throws the error of `write`; the turns are then written with the next
   */
  write(write: (turns: TurnsFrom) => Promise<void>): Promise<void> {
    const written = this.writing.then(() => this.writeNow(write));
    this.writing = written.catch(() => undefined);
    return written;
  }

  private async writeNow(write: (turns: TurnsFrom) => Promise<void>): Promise<void> {
    const { unwritten } = this;
    this.unwrittenFrom = this.turns.length;
    try {
      await write(unwritten);
    } catch (error) {
      this.unwrittenFrom = Math.min(this.unwrittenFrom, unwritten.position);
      throw error;
    }
  }
}

function toRecord({
  speaker,
  text,
  startMs,
  endMs,
  interrupted,
  assistant,
  memberName,
}: TranscriptTurn): TurnsFrom['turns'][number] {
  return {
    role: speaker,
    text: storableText(text),
    startMs: Math.round(startMs),
    endMs: Math.round(endMs),
    interrupted,
    assistantId: assistant?.id ?? null,
    assistantName: assistant?.name ?? null,
    memberName: memberName ?? null,
  };
}
