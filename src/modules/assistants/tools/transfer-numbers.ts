import { toE164 } from '../../../common/phone/e164.js';
import { text, type TextKey } from '../../../i18n/catalogue.js';
import type { FieldIssue } from '../../../common/errors/domain-error.js';
import type { SentTool } from './built-in-tool.js';

/** A number as people write it, with or without country code. */
export const PHONE = /^\+?\(?\d[\d ().-]{1,30}$/;

/** No country: only what has a country code is a number then. */
const NO_COUNTRY = '';

interface WrittenNumber {
  readonly field: 'phone_number' | 'supervisor_phone' | 'custom_caller_id';
  readonly written: string;
  /** What is said of one that is no number; null where it may be something else, such as the extension of an exchange. */
  readonly refusal: TextKey | null;
}

/** Whether a number of the tools is read only with a country. */
export function needCountry(tools: readonly SentTool[]): boolean {
  return tools.some((tool) => numbersIn(tool).some(({ written }) => toE164(written, NO_COUNTRY) === null));
}

/** A tool with its numbers in E.164; what is none stays as it is written. */
export function withDiallable<Tool extends SentTool>(tool: Tool, country: string = NO_COUNTRY): Tool {
  const read = numbersIn(tool).map(({ field, written }) => [field, toE164(written, country) ?? written]);
  return { ...tool, ...Object.fromEntries(read) };
}

/**
 * Numbers that nobody could dial, among tools that have been through {@link withDiallable}.
 *
 * @param stored the tools the assistant has: what stays as it was is not refused, so that it can be read and sent back
 */
export function undiallableIn(tools: readonly SentTool[], stored: readonly SentTool[]): FieldIssue[] {
  const known = stored.flatMap((tool) => numbersIn(tool).map(({ field, written }) => `${field} ${written}`));
  return tools.flatMap((tool, index) =>
    numbersIn(tool).flatMap(({ field: name, written, refusal }) => {
      if (refusal === null || toE164(written, NO_COUNTRY) !== null || known.includes(`${name} ${written}`)) {
        return [];
      }
      const field = `tools.${index}.${name}`;
      return [{ field, text: text(refusal, { field }) }];
    }),
  );
}

/** What has the form of a number, where a number may be: neither SIP addresses nor extensions. */
function numbersIn(tool: SentTool): WrittenNumber[] {
  return fieldsOf(tool).flatMap(({ written, ...rest }) =>
    written && PHONE.test(written) ? [{ ...rest, written }] : [],
  );
}

function fieldsOf(
  tool: SentTool,
): (Omit<WrittenNumber, 'written'> & { written?: string | null | undefined })[] {
  if (tool.type === 'call_transfer') {
    return [{ field: 'phone_number', written: tool.phone_number, refusal: 'assistants.transfer_target' }];
  }
  if (tool.type !== 'warm_call_transfer') return [];
  return [
    {
      field: 'supervisor_phone',
      written: tool.custom_sip ? null : tool.supervisor_phone,
      refusal: 'assistants.phone_target',
    },
    { field: 'custom_caller_id', written: tool.custom_caller_id, refusal: null },
  ];
}
