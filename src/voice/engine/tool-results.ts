/** What a model reads of a call that has not answered. */
const RUNNING = '{"status":"The tool call is still in progress."}';

/**
 * What the tools of a talk have answered, by the id of the call. The engine copies the conversation for each turn, so that the
 * copy of one turn lacks what the tools of another have answered since.
 */
export class ToolResults {
  /** Null while it runs. */
  private readonly answers = new Map<string, string | null>();
  /** Answers that no model has read. */
  private readonly unread = new Set<string>();

  /** Whether there is an answer that no model has read. */
  get areUnread(): boolean {
    return this.unread.size > 0;
  }

  begins(callId: string): void {
    this.answers.set(callId, null);
  }

  /** @param content as a model reads it */
  answered(callId: string, content: string): void {
    this.answers.set(callId, content);
    this.unread.add(callId);
  }

  /** For a request to a model. @returns null for a call that is not known */
  read(callId: string): string | null {
    const answer = this.answers.get(callId);
    if (answer === undefined) return null;
    if (answer !== null) this.unread.delete(callId);
    return answer ?? RUNNING;
  }
}
