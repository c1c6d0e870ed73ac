import type { PanelHost } from '../panel-contract';
import { type Api, ApiError, type Widget } from './api';

/** A challenge that expires sooner than this is not solved. */
const SPARE_MS = 30_000;

interface Solved {
  readonly challenge_token: string;
  readonly challenge_solution: string;
  readonly expiresAt: number;
}

/** Opens the conversation of the first message. A required challenge is solved while the visitor types. */
export class ConversationOpener {
  private solved: Promise<Solved> | null = null;

  constructor(
    private readonly api: Api,
    private readonly host: PanelHost,
  ) {}

  /** Starts solving the challenge, if one is required. */
  prepare(widget: Widget | null): void {
    if (!widget?.challenge_required || this.solved) return;
    this.solved = this.work();
    // The first message retries and reports the failure.
    this.solved.catch(() => {
      this.solved = null;
    });
  }

  /** @returns the id of the conversation */
  async open(widget: Widget | null): Promise<string> {
    try {
      return await this.attempt(widget?.challenge_required ?? false);
    } catch (error) {
      // The challenge was enabled after this page was loaded, or the solution has expired.
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
