import type { Response } from 'express';
import type { LimitUse } from './rate-limit.js';

/**
 * Adds one limit to the `RateLimit-Policy` and `RateLimit` fields of an answer, lists of the structured fields of
 * draft-ietf-httpapi-ratelimit-headers-11: quota and window, then what is left and the seconds until it is whole again.
 */
export function addRateLimitHeaders(response: Response, use: LimitUse): void {
  const { name, quota, windowSeconds } = use.policy;
  append(response, 'RateLimit-Policy', `"${name}";q=${quota};w=${windowSeconds}`);
  append(response, 'RateLimit', `"${name}";r=${use.remaining};t=${use.resetSeconds}`);
}

/**
 * The limit that refuses a request, in the headers that clients of the API family read. `X-RateLimit-Reset` is the moment at which
 * the quota is whole again, in seconds since 1970.
 */
export function addRefusalHeaders(response: Response, { policy, remaining, resetSeconds }: LimitUse): void {
  response.setHeader('X-RateLimit-Limit', String(policy.quota));
  response.setHeader('X-RateLimit-Remaining', String(remaining));
  response.setHeader('X-RateLimit-Reset', String(Math.ceil(Date.now() / 1_000) + resetSeconds));
}

function append(response: Response, name: string, member: string): void {
  const before = response.getHeader(name);
  response.setHeader(name, before === undefined ? member : `${String(before)}, ${member}`);
}
