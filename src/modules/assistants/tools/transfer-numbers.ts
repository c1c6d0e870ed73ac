import { toE164 } from '../../../common/phone/e164.js';
import type { SentTool } from './built-in-tool.js';

/** A number as people write it, with or without country code. */
export const PHONE = /^\+?\(?\d[\d ().-]{1,30}$/;

/** No country: only what has a country code is a number then. */
const NO_COUNTRY = '';

/** Whether a number of the tools is read only with a country. */
export function needCountry(tools: readonly SentTool[]): boolean {
  return tools.some((tool) => numbersIn(tool).some(([, written]) => toE164(written, NO_COUNTRY) === null));
}

/** A tool with its numbers in E.164; what is none, such as a short code, stays as it is written. */
export function withDiallable<Tool extends SentTool>(tool: Tool, country: string = NO_COUNTRY): Tool {
  const read = numbersIn(tool).map(([field, written]) => [field, toE164(written, country) ?? written]);
  return { ...tool, ...Object.fromEntries(read) };
}

/** What has the form of a number, where a number may be: neither SIP addresses nor extensions. */
function numbersIn(tool: SentTool): (readonly [field: string, written: string])[] {
  return fieldsOf(tool).flatMap(([field, written]) =>
    written && PHONE.test(written) ? [[field, written] as const] : [],
  );
}

function fieldsOf(tool: SentTool): (readonly [field: string, written: string | null | undefined])[] {
  if (tool.type === 'call_transfer') return [['phone_number', tool.phone_number]];
  if (tool.type !== 'warm_call_transfer') return [];
  return [
    ['supervisor_phone', tool.custom_sip ? null : tool.supervisor_phone],
    ['custom_caller_id', tool.custom_caller_id],
  ];
}
