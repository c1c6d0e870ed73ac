import type { EgressClient } from '../common/egress/egress-client.js';
import type { BuiltinToolSpec } from './assistant-snapshot.js';
import type { RuntimeTool } from './tool.js';

/** Booking through the external calendar provider. */
export function calendarTools(
  _spec: BuiltinToolSpec,
  _egress: EgressClient,
  _timezone: string,
): RuntimeTool[] {
  return [];
}
