import type { FieldIssue } from '../../../common/errors/domain-error.js';
import { hasVisibleText } from '../../../common/text/visible-text.js';
import { text, type TextKey } from '../../../i18n/catalogue.js';
import type { SentTool } from './built-in-tool.js';
import { PHONE } from './transfer-numbers.js';

/** `sip:user@host` or `user@host`. */
const SIP_ADDRESS = /^(sips?:)?[\w.+*#-]{1,64}@[\w.-]{1,253}(:\d{1,5})?$/i;
const EXTENSION = /^[\w.+*#-]{1,64}$/;

type Issue = readonly [field: string, key: TextKey];

/** What no field of a built-in tool shows alone. Issues are named `tools.<index>.<field>`. */
export function findToolIssues(tools: readonly SentTool[]): FieldIssue[] {
  return tools.flatMap((tool, index) =>
    issuesOf(tool).map(([name, key]) => {
      const field = `tools.${index}.${name}`;
      return { field, text: text(key, { field }) };
    }),
  );
}

function issuesOf(tool: SentTool): readonly Issue[] {
  switch (tool.type) {
    case 'call_transfer':
      return isTarget(tool.phone_number, [PHONE, SIP_ADDRESS])
        ? []
        : [['phone_number', 'assistants.transfer_target']];
    case 'warm_call_transfer':
      return [...supervisorIssues(tool), ...outboundPhoneIssues(tool), ...callerIdIssues(tool)];
    case 'calendar_integration':
      return tool.extcal_endpoint === 'custom' && !tool.extcal_custom_endpoint
        ? [['extcal_custom_endpoint', 'validation.required']]
        : [];
    case 'end_call':
    case 'dtmf_input':
    case 'collect_keypad':
    case 'handoff':
    case 'assistant_transfer':
      return [];
    default:
      // Of a module or a plugin: its form is all there is to check.
      return [];
  }
}

type WarmTransfer = Extract<SentTool, { type: 'warm_call_transfer' }>;

/** A call that is offered to people needs no supervisor. */
function supervisorIssues(tool: WarmTransfer): readonly Issue[] {
  const { supervisor_phone: target, custom_sip: isSip } = tool;
  if (!hasText(target)) return tool.target ? [] : [['supervisor_phone', 'validation.required']];
  if (isTarget(target, isSip ? [SIP_ADDRESS, EXTENSION] : [PHONE])) return [];
  return [['supervisor_phone', isSip ? 'assistants.sip_target' : 'assistants.phone_target']];
}

function outboundPhoneIssues(tool: WarmTransfer): readonly Issue[] {
  const isNeeded = !tool.target || hasText(tool.supervisor_phone);
  return isNeeded && !tool.outbound_phone_id ? [['outbound_phone_id', 'validation.required']] : [];
}

function callerIdIssues({
  caller_id_mode: mode,
  custom_caller_id: callerId,
}: WarmTransfer): readonly Issue[] {
  if (mode !== 'custom') return [];
  if (!callerId) return [['custom_caller_id', 'validation.required']];
  return isTarget(callerId, [PHONE, SIP_ADDRESS]) ? [] : [['custom_caller_id', 'assistants.transfer_target']];
}

function hasText(value: string | null | undefined): value is string {
  return typeof value === 'string' && hasVisibleText(value);
}

function isTarget(value: string | null | undefined, forms: readonly RegExp[]): boolean {
  return typeof value === 'string' && forms.some((form) => form.test(value));
}
