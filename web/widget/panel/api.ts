import type {
  ChallengeResponse,
  ConversationResponse,
  CreatedConversationResponse,
  PublicThreadMessageResponse,
  PublicThreadResponse,
  PublicWebCallResponse,
  WebCallOfferResponse,
  WidgetResponse,
} from '#client/types.gen.js';
import { readEvents } from './event-reader';
import type { Problem } from './texts/texts';

export type Message = PublicThreadMessageResponse;
export type Widget = WidgetResponse;

const TIMEOUT_MS = 20_000;

/** What went wrong, in a form that the chat has words for. */
export class ApiError extends Error {
  constructor(
    readonly problem: Problem,
    /** 0 where no answer came. */
    readonly status: number,
  ) {
    super(problem.key);
  }
}

/** What the chat asks of the server. Each call throws an ApiError. */
export class Api {
  private readonly base: string;

  /** @param server where Prosa is, with a slash at the end */
  constructor(private readonly server: string) {
    this.base = `${server}api/`;
  }

  async widget(assistantId: string): Promise<Widget> {
    try {
      return await this.json(`widget/${assistantId}`);
    } catch (error) {
      // A page that is not allowed may not read why: to it the refusal looks like no answer.
      const isUnread = error instanceof ApiError && error.status === 0 && (await this.isReachable());
      throw isUnread ? new ApiError({ key: 'originRefused' }, 403) : error;
    }
  }

  challenge(assistantId: string): Promise<ChallengeResponse> {
    return this.json(`conversations/challenges/${assistantId}`, {});
  }

  open(body: {
    assistant_id: string;
    variables: Record<string, unknown>;
    challenge_token?: string;
    challenge_solution?: string;
  }): Promise<CreatedConversationResponse> {
    return this.json('conversations', body);
  }

  /** Whether one can talk to the assistant by voice. */
  voice(assistantId: string): Promise<WebCallOfferResponse> {
    return this.json(`web-calls/${assistantId}`);
  }

  call(body: Parameters<Api['open']>[0]): Promise<PublicWebCallResponse> {
    return this.json('web-calls', body);
  }

  conversation(id: string): Promise<ConversationResponse> {
    return this.json(`conversations/${id}`);
  }

  messages(id: string, query: { after?: number; before?: number }): Promise<PublicThreadResponse> {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]));
    return this.json(`conversations/${id}/messages?${search}`);
  }

  /** Failures are ignored: a missed typing hint has no effect. */
  typing(id: string): void {
    this.json(`conversations/${id}/typing`, {}).catch(() => undefined);
  }

  /** Sends a message; the events of its answer. */
  send(id: string, message: string, signal: AbortSignal) {
    return this.events(`conversations/${id}/messages`, { method: 'POST', body: { message }, signal });
  }

  /** Hints of what changes in a conversation, for as long as the server lets them come. */
  watch(id: string, signal: AbortSignal) {
    return this.events(`conversations/${id}/events`, { signal });
  }

  /** Every page may read the widget's own file. */
  private isReachable(): Promise<boolean> {
    return fetch(`${this.server}widget.js`, { method: 'HEAD', cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  private async *events(path: string, options: { method?: string; body?: object; signal: AbortSignal }) {
    const response = await this.request(path, { ...options, accept: 'text/event-stream' });
    if (!response.body) throw new ApiError({ key: 'offline' }, 0);
    try {
      yield* readEvents(response.body);
    } catch {
      // The connection broke within the answer.
      throw new ApiError({ key: 'offline' }, 0);
    }
  }

  private async json<T>(path: string, body?: object): Promise<T> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), TIMEOUT_MS);
    const method = body ? 'POST' : 'GET';
    const options = { method, accept: 'application/json', signal: late.signal, ...(body && { body }) };
    try {
      const response = await this.request(path, options);
      return (await response.json()) as T;
    } catch (error) {
      throw error instanceof ApiError ? error : new ApiError({ key: 'offline' }, 0);
    } finally {
      clearTimeout(timer);
    }
  }

  private async request(
    path: string,
    {
      method = 'GET',
      accept,
      body,
      signal,
    }: { method?: string; accept: string; body?: object; signal: AbortSignal },
  ): Promise<Response> {
    let response;
    try {
      response = await fetch(this.base + path, {
        method,
        headers: { Accept: accept, ...(body && { 'Content-Type': 'application/json' }) },
        body: body ? JSON.stringify(body) : null,
        credentials: 'omit',
        cache: 'no-store',
        signal,
      });
    } catch {
      throw new ApiError({ key: 'offline' }, 0);
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  const { error = '' } = (await response.json().catch(() => ({}))) as { error?: string };
  return new ApiError(problemOf(response, error), response.status);
}

/** Maps a refusal of the server to a text of the chat. */
function problemOf({ status, headers }: Response, error: string): Problem {
  // A proxy has given up; what was sent may have arrived.
  if (status === 502 || status === 504) return { key: 'offline' };
  if (status === 429) return { key: 'tooMany', waitSeconds: Number(headers.get('Retry-After')) || 0 };
  if (status === 403) return { key: /challenge/i.test(error) ? 'challengeFailed' : 'originRefused' };
  if (status === 404) return { key: 'missing' };
  if (status === 422) return { key: 'tooLong' };
  if (status === 400 && /has ended/i.test(error)) return { key: 'ended' };
  if (status === 400 && /process/i.test(error)) return { key: 'processing' };
  return { key: 'unavailable', waitSeconds: Number(headers.get('Retry-After')) || 0 };
}
