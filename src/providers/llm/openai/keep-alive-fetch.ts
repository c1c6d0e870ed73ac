import type { ClientOptions } from 'openai';
import { Agent, fetch, type RequestInit } from 'undici';

type SdkFetch = NonNullable<ClientOptions['fetch']>;

const KEEP_ALIVE_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** About 50,000 streamed tokens with the JSON around them. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * Connections to one provider that outlive a turn, so that only the first pays for TCP and TLS.
 * The address is the operator's own configuration, not a customer's, hence no egress check.
 */
export class KeepAliveFetch {
  // No limit on the time to answer: every turn brings its own deadline, and models may think for minutes.
  private readonly agent = new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: MAX_BODY_BYTES,
  });

  /** A redirect is returned, not followed: the prompt and the key go to the configured server alone. */
  readonly fetch: SdkFetch = async (url, init) => {
    // The SDK passes a string and plain options and reads the answer's status, headers and body:
    // for these, Node's types and undici's describe the same objects.
    const options = init as RequestInit | undefined;
    const response: unknown = await fetch(url as string, {
      ...options,
      redirect: 'manual',
      dispatcher: this.agent,
    });
    return response as Response;
  };

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}
