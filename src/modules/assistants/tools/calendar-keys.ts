import type { FieldIssue } from '../../../common/errors/domain-error.js';
import { HIDDEN, masked } from '../../../common/text/masked.js';
import { text } from '../../../i18n/catalogue.js';
import type { SentTool, StoredTool } from './built-in-tool.js';

type SentCalendarTool = Extract<SentTool, { type: 'calendar_integration' }>;

/** Takes the keys out of the tools, in the tools' order. */
export function takeKeys(tools: readonly SentTool[]): { tools: StoredTool[]; keys: string[] } {
  const keys: string[] = [];
  const stored = tools.map((tool): StoredTool => {
    if (tool.type !== 'calendar_integration') return tool;
    const { extcal_api_key: key, ...rest } = tool;
    keys.push(key ?? '');
    return rest;
  });
  return { tools: stored, keys };
}

/** Puts back what {@link takeKeys} took. */
export function putKeys(tools: readonly StoredTool[], keys: readonly string[]): SentTool[] {
  let next = 0;
  return tools.map((tool) =>
    tool.type === 'calendar_integration' ? { ...tool, extcal_api_key: keys[next++] ?? '' } : tool,
  );
}

/**
 * Replaces masked keys by the stored ones. A stored key stays with the endpoint it was given for. Otherwise a user
 * who may write an assistant could learn its key by changing the endpoint to their own server.
 *
 * @returns the tools with open keys, and an issue for each mask without a stored key
 */
export function unmaskKeys(
  sent: readonly SentTool[],
  stored: readonly SentTool[],
): { tools: SentTool[]; issues: FieldIssue[] } {
  const known = stored.filter((tool): tool is SentCalendarTool => tool.type === 'calendar_integration');
  const issues: FieldIssue[] = [];
  const tools = sent.map((tool, index): SentTool => {
    if (tool.type !== 'calendar_integration' || !tool.extcal_api_key?.startsWith(HIDDEN)) return tool;
    const match = bestMatch(tool, known);
    if (match) return { ...tool, extcal_api_key: match.extcal_api_key };
    const field = `tools.${index}.extcal_api_key`;
    issues.push({ field, text: text('assistants.masked_key', { field }) });
    return tool;
  });
  return { tools, issues };
}

/** Of the stored tools with that mask and endpoint, that for the same event first. */
function bestMatch(tool: SentCalendarTool, known: readonly SentCalendarTool[]): SentCalendarTool | undefined {
  const candidates = known.filter(
    (other) =>
      masked(other.extcal_api_key ?? '') === tool.extcal_api_key && endpointOf(other) === endpointOf(tool),
  );
  return candidates.find((other) => other.extcal_event_slug === tool.extcal_event_slug) ?? candidates[0];
}

function endpointOf({ extcal_endpoint, extcal_custom_endpoint }: SentCalendarTool): string {
  return extcal_endpoint === 'custom' ? (extcal_custom_endpoint ?? '') : (extcal_endpoint ?? 'us');
}
