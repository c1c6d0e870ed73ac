import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { LRUCache } from 'lru-cache';
import type { EgressClient } from '../../common/egress/egress-client.js';
import { EgressError, type EgressErrorCode } from '../../common/egress/egress-error.js';
import { storableText } from '../../common/text/storable-text.js';
import { Deadline } from '../../common/time/deadline.js';
import { guardedFetch, streamFaultOf } from './guarded-fetch.js';
import { McpError, type McpErrorCode } from './mcp-error.js';
import { McpSession } from './mcp-session.js';

/** A server as a tenant has registered it, headers opened. */
export interface McpEndpoint {
  /** Changes with anything of the endpoint: a session is used again only under the same key. */
  readonly key: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of a whole call, with the opening of a session where there is none. */
  readonly timeoutMs: number;
}

/** A page of a server's list, as it came: nothing of it is trusted. */
export interface McpToolPage {
  readonly tools: readonly unknown[];
  readonly nextCursor: string | null;
}

/** What a tool has answered, as it came. */
export interface McpCallResult {
  readonly content: readonly unknown[];
  readonly structured: Readonly<Record<string, unknown>> | null;
  /** The tool itself says that it has failed. */
  readonly isError: boolean;
}

const MAX_LIST_BYTES = 1024 * 1024;
const MAX_CALL_BYTES = 256 * 1024;
const MAX_SESSIONS = 500;
const SESSION_TTL_MS = 5 * 60_000;
/** A server that has forgotten a session refuses the request before it looks at it. */
const SESSION_GONE: ReadonlySet<number> = new Set([400, 404]);

/** Speaks the Model Context Protocol over streamable HTTP, through the guarded client. */
export class McpClient {
  private readonly sessions = new LRUCache<string, McpSession>({
    max: MAX_SESSIONS,
    ttl: SESSION_TTL_MS,
    dispose: (session) => session.closeWhenIdle(),
  });

  constructor(private readonly egress: EgressClient) {}

  /**
   * Reads the pages of a server's list of tools, in a session of its own.
   *
   * @param isEnough asked after each page
   * @throws McpError
   */
  async list(endpoint: McpEndpoint, isEnough: (page: McpToolPage) => boolean): Promise<void> {
    await this.within(endpoint, undefined, async (signal) => {
      const session = new McpSession(this.connect(endpoint, MAX_LIST_BYTES, signal));
      try {
        await session.use(async (client) => {
          for (let cursor: string | undefined; ;) {
            const page = pageOf(
              await ask(client, 'tools/list', cursor === undefined ? {} : { cursor }, signal),
            );
            if (isEnough(page) || page.nextCursor === null) return;
            cursor = page.nextCursor;
          }
        });
      } finally {
        session.closeWhenIdle();
      }
    });
  }

  /**
   * Calls a tool, in the session that the calls of this endpoint share.
   *
   * @throws McpError
   */
  async call(
    endpoint: McpEndpoint,
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<McpCallResult> {
    return this.within(endpoint, signal, async (limited) => {
      const request = async (client: Client) =>
        resultOf(await ask(client, 'tools/call', { name, arguments: args }, limited));
      const known = this.sessions.get(endpoint.key);
      try {
        return await this.use(endpoint, known ?? this.open(endpoint), request);
      } catch (error) {
        if (!known || !isSessionGone(error)) throw error;
        // Another call may have found it out before, and opened the next one.
        return await this.use(endpoint, this.sessions.get(endpoint.key) ?? this.open(endpoint), request);
      }
    });
  }

  /** Forgets all sessions. */
  close(): void {
    this.sessions.clear();
  }

  /** A failed or cancelled call says nothing about its session: only one that the server has forgotten is given up. */
  private async use<T>(
    endpoint: McpEndpoint,
    session: McpSession,
    request: (client: Client) => Promise<T>,
  ): Promise<T> {
    try {
      return await session.use(request);
    } catch (error) {
      if (isSessionGone(error)) this.forget(endpoint, session);
      throw error;
    }
  }

  /** Connects within a time of its own: who asks first may leave, and others wait for the same session by then. */
  private open(endpoint: McpEndpoint): McpSession {
    const client = this.within(endpoint, undefined, (signal) =>
      this.connect(endpoint, MAX_CALL_BYTES, signal),
    );
    const session = new McpSession(client);
    this.sessions.set(endpoint.key, session);
    client.catch(() => this.forget(endpoint, session));
    return session;
  }

  /** Unless another one has taken its place. */
  private forget({ key }: McpEndpoint, session: McpSession): void {
    if (this.sessions.peek(key, { allowStale: true }) === session) this.sessions.delete(key);
  }

  private async connect(endpoint: McpEndpoint, maxBytes: number, signal: AbortSignal): Promise<Client> {
    // Loaded by the first account that has a server: it takes a tenth of a second.
    const [{ Client }, { StreamableHTTPClientTransport }] = await Promise.all([
      import('@modelcontextprotocol/sdk/client/index.js'),
      import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    ]);
    const client = new Client({ name: 'Prosa', version: '1.0.0' }, { capabilities: {} });
    const transport = new StreamableHTTPClientTransport(new URL(endpoint.url), {
      fetch: guardedFetch(this.egress, { ...endpoint, maxBytes }),
      reconnectionOptions: {
        initialReconnectionDelay: 1,
        maxReconnectionDelay: 1,
        reconnectionDelayGrowFactor: 1,
        maxRetries: 0,
      },
    });
    await client.connect(transport, { signal, timeout: endpoint.timeoutMs });
    return client;
  }

  private async within<T>(
    { timeoutMs }: McpEndpoint,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const deadline = new Deadline(timeoutMs, signal, (reason) =>
      reason === 'timeout'
        ? new McpError('timeout', `The server did not answer within ${timeoutMs / 1000} s.`)
        : new McpError('aborted', 'The request was cancelled.'),
    );
    // The SDK takes an abort after the answer for a cancellation, and tells the server: so not the deadline's own signal.
    const cancelled = new AbortController();
    deadline.signal.addEventListener('abort', () => {
      if (deadline.error) cancelled.abort(deadline.error);
    });
    try {
      return await deadline.race(work(cancelled.signal));
    } catch (error) {
      throw deadline.error ?? toMcpError(error);
    } finally {
      deadline.close();
    }
  }
}

/** Asks without the SDK's own methods, which compile the schemas of strangers. */
async function ask(
  client: Client,
  method: 'tools/list' | 'tools/call',
  params: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const { ResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
  return client.request({ method, params }, ResultSchema, { signal });
}

function pageOf({ tools, nextCursor }: Readonly<Record<string, unknown>>): McpToolPage {
  if (!Array.isArray(tools))
    throw new McpError('protocol', 'The server did not answer with a list of tools.');
  return { tools, nextCursor: typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : null };
}

function resultOf(result: Readonly<Record<string, unknown>>): McpCallResult {
  const { content, structuredContent: structured, isError } = result;
  const isObject = typeof structured === 'object' && structured !== null && !Array.isArray(structured);
  return {
    content: Array.isArray(content) ? content : [],
    structured: isObject ? (structured as Record<string, unknown>) : null,
    isError: isError === true,
  };
}

function isSessionGone(error: unknown): boolean {
  return SESSION_GONE.has(statusOf(error));
}

function statusOf(error: unknown): number {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : 0;
}

function toMcpError(error: unknown): McpError {
  if (error instanceof McpError) return error;
  if (error instanceof EgressError) return new McpError(codeOf(error.code), error.message, { cause: error });
  const status = statusOf(error);
  if (status === 401 || status === 403)
    return new McpError('refused', 'The server refused the request.', { cause: error });
  if (status >= 300)
    return new McpError('unreachable', `The server answered with HTTP status ${status}.`, { cause: error });
  // Codes of JSON-RPC are below zero: the server has understood, and says no; or the stream of its answer has broken.
  if (status < 0 && error instanceof Error && error.name === 'McpError') {
    const fault = streamFaultOf('data' in error ? error.data : null);
    return new McpError(fault ? codeOf(fault) : 'refused', rpcMessageOf(error), { cause: error });
  }
  return new McpError('protocol', 'The server does not speak the protocol as it should.', { cause: error });
}

function codeOf(code: EgressErrorCode): McpErrorCode {
  return code === 'timeout' || code === 'aborted' ? code : 'unreachable';
}

const MAX_MESSAGE_LENGTH = 500;

/** The server's own words, which are kept with the server. */
function rpcMessageOf(error: unknown): string {
  const said = error instanceof Error ? error.message.replace(/^MCP error -?\d+: /, '') : '';
  const text = storableText(said.slice(0, MAX_MESSAGE_LENGTH));
  return text === '' ? 'The server refused the request.' : text;
}
