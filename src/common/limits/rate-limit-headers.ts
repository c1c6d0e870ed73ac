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

function append(response: Response, name: string, member: string): void {
  const before = response.getHeader(name);
  response.setHeader(name, before === undefined ? member : `${String(before)}, ${member}`);
}
