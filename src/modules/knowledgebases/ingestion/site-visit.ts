import { setTimeout as sleep } from 'node:timers/promises';
import type { EgressClient, EgressResponse } from '../../../common/egress/egress-client.js';
import { EgressError, type EgressErrorCode } from '../../../common/egress/egress-error.js';
import { type FailureKey, failure, UnreadableError } from '../failure.js';
import { MAX_ADDRESS_LENGTH } from './page-url.js';
import { RobotsTxt } from './robots-txt.js';

/** Under this name sites can address us in robots.txt. */
const ROBOT_NAME = 'ProsaBot';
const USER_AGENT = `Mozilla/5.0 (compatible; ${ROBOT_NAME}/1.0)`;

const TIMEOUT_MS = 20_000;
const MAX_PAGE_BYTES = 5 * 1024 * 1024;
/** RFC 9309 asks robots to read at least 500 KiB. */
const MAX_ROBOTS_BYTES = 512 * 1024;
const MAX_REDIRECTS = 5;
const MAX_CRAWL_DELAY_MS = 5_000;
/** Waits before another try after what may pass: a lost connection, an overloaded server. */
const RETRY_WAITS_MS = [1_000, 3_000] as const;

const FAILURES: Readonly<Record<EgressErrorCode, FailureKey>> = {
  'forbidden-address': 'ingestion.address_not_allowed',
  'invalid-url': 'ingestion.unreachable',
  dns: 'ingestion.unreachable',
  connect: 'ingestion.unreachable',
  timeout: 'ingestion.unreachable',
  'too-large': 'ingestion.page_too_large',
  'too-many-redirects': 'ingestion.too_many_redirects',
  protocol: 'ingestion.unreachable',
  aborted: 'ingestion.unreachable',
};

const RETRYABLE: ReadonlySet<EgressErrorCode> = new Set(['dns', 'connect', 'timeout']);

export interface FetchedPage {
  readonly bytes: Buffer;
  /** After redirects. */
  readonly url: string;
  /** In lower case, without parameters; empty when the server names none. */
  readonly contentType: string;
  readonly charset: string | undefined;
}

/** Fetches pages of websites, one after the other, as their robots.txt permits. */
export class SiteVisit {
  private readonly robots = new Map<string, Promise<RobotsTxt | 'nothing'>>();
  private readonly lastFetches = new Map<string, number>();

  constructor(
    private readonly egress: EgressClient,
    private readonly retryWaitsMs: readonly number[] = RETRY_WAITS_MS,
  ) {}

  /** @throws UnreadableError */
  async fetch(url: string): Promise<FetchedPage> {
    await this.requirePermission(url);
    const response = await this.request(url, MAX_PAGE_BYTES);
    if (response.status >= 300) {
      throw new UnreadableError(failure('ingestion.http_status', { status: response.status }));
    }
    if (response.finalUrl !== url) await this.requirePermission(response.finalUrl);
    const [type = '', ...parameters] = (response.headers['content-type'] ?? '').split(';');
    return {
      bytes: response.bytes,
      url: response.finalUrl,
      contentType: type.trim().toLowerCase(),
      charset: charsetOf(parameters),
    };
  }

  private async requirePermission(url: string): Promise<void> {
    if (url.length > MAX_ADDRESS_LENGTH) throw new UnreadableError(failure('ingestion.address_too_long'));
    const { origin } = new URL(url);
    const reading = this.robots.get(origin) ?? this.readRobots(origin);
    this.robots.set(origin, reading);
    const robots = await reading;
    if (robots === 'nothing' || !robots.permits(url)) {
      throw new UnreadableError(failure('ingestion.robots'));
    }
    await this.keepDistance(origin, robots.crawlDelaySeconds);
  }

  /** A missing robots.txt permits everything, one that cannot be had nothing (RFC 9309, 2.3.1). */
  private async readRobots(origin: string): Promise<RobotsTxt | 'nothing'> {
    const { status, bodyText } = await this.request(`${origin}/robots.txt`, MAX_ROBOTS_BYTES, 'truncate');
    if (status >= 500) return 'nothing';
    return new RobotsTxt(status >= 300 ? '' : bodyText, ROBOT_NAME);
  }

  private async keepDistance(origin: string, delaySeconds: number): Promise<void> {
    const delayMs = Math.min(delaySeconds * 1_000, MAX_CRAWL_DELAY_MS);
    const last = this.lastFetches.get(origin);
    const waitMs = last === undefined ? 0 : last + delayMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    this.lastFetches.set(origin, performance.now());
  }

  private async request(
    url: string,
    maxBytes: number,
    whenTooLarge: 'fail' | 'truncate' = 'fail',
  ): Promise<EgressResponse> {
    for (let attempt = 0; ; attempt++) {
      const waitMs = this.retryWaitsMs[attempt];
      try {
        const response = await this.egress.request({
          method: 'GET',
          url,
          headers: {
            'user-agent': USER_AGENT,
            accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5',
          },
          timeoutMs: TIMEOUT_MS,
          maxBytes,
          whenTooLarge,
          maxRedirects: MAX_REDIRECTS,
        });
        if (waitMs === undefined || (response.status < 500 && response.status !== 429)) return response;
      } catch (error) {
        if (!(error instanceof EgressError)) throw error;
        if (waitMs === undefined || !RETRYABLE.has(error.code)) {
          throw new UnreadableError(failure(FAILURES[error.code]), { cause: error });
        }
      }
      await sleep(waitMs);
    }
  }
}

function charsetOf(parameters: readonly string[]): string | undefined {
  const charset = parameters.map((parameter) => /^\s*charset="?([\w-]+)/i.exec(parameter)?.[1]);
  return charset.find((name) => name !== undefined);
}
