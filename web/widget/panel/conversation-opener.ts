import type { PanelHost } from '../panel-contract';
import { type Api, ApiError, type Widget } from './api';

/** How long before its end a challenge is not worth its work any more. */
const SPARE_MS = 30_000;

interface Solved {
  readonly challenge_token: string;
  readonly challenge_solution: string;
  readonly expiresAt: number;
}

/** Opens the conversation of the first message. Where the assistant asks for a challenge, it is solved while one types. */
export class ConversationOpener {
  private solved: Promise<Solved> | null = null;

  constructor(
    private readonly api: Api,
    private readonly host: PanelHost,
  ) {}

  /** Begins with the work, if there is any. */
  prepare(widget: Widget | null): void {
    if (!widget?.challenge_required || this.solved) return;
    this.solved = this.work();
    // The first message asks again, and says what fails.
    this.solved.catch(() => {
      this.solved = null;
    });
  }

  /** @returns the id of the conversation */
  async open(widget: Widget | null): Promise<string> {
    try {
      return await this.attempt(widget?.challenge_required ?? false);
    } catch (error) {
      // It was set after this page was loaded, or the solution has expired.
      const isWorthWork = error instanceof ApiError && error.problem.key === 'challengeFailed';
      if (!isWorthWork) throw error;
      this.solved = null;
      return this.attempt(true);
    }
  }

  private async attempt(isChallenged: boolean): Promise<string> {
    const solution = isChallenged ? await this.solution() : {};
    this.solved = null;
    const { assistantId, dataset } = this.host;
    const variables = variablesOf(dataset.variables);
    const { conversation_id } = await this.api.open({ assistant_id: assistantId, variables, ...solution });
    return conversation_id;
  }

  private async solution(): Promise<Omit<Solved, 'expiresAt'>> {
    const ready = this.solved && (await this.solved.catch(() => null));
    const isGood = ready && ready.expiresAt - SPARE_MS > Date.now();
    const { expiresAt: _expiresAt, ...solution } = isGood ? ready : await this.work();
    return solution;
  }

  private work(): Promise<Solved> {
    return solvedChallenge(this.api, this.host.assistantId);
  }
}

/** A challenge of the server with its solution. */
export async function solvedChallenge(api: Api, assistantId: string): Promise<Solved> {
  const [{ token, difficulty, expires_at }, { solve }] = await Promise.all([
    api.challenge(assistantId),
    import('./challenge'),
  ]);
  const challenge_solution = await solve(token, difficulty);
  return { challenge_token: token, challenge_solution, expiresAt: Date.parse(expires_at) };
}

/** What `data-variables` says, as JSON. */
export function variablesOf(json = '{}'): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    console.error('[prosa] data-variables is not JSON:', json);
    return {};
  }
}
