import type { BuiltinToolSpec } from '../../assistant-snapshot.js';
import {
  errorOutcome,
  objectOutcome,
  refusedArguments,
  type RuntimeTool,
  type ToolContext,
  type ToolOutcome,
} from '../../tools/tool.js';
import type {
  CallControls,
  MemberTransfer,
  MemberTransferOutcome,
  WarmTransfer,
} from '../../tools/call-controls.js';
import { transferTarget, type TransferTarget } from '../transfers/transfer-policy.js';

export const SEND_TONES_TOOL = 'send_keypad_tones';
const TONES = /^[0-9A-D*#w]{1,32}$/;
const NO_PARAMETERS = { type: 'object', properties: {}, additionalProperties: false };

const REFUSALS: Readonly<Record<Extract<TransferTarget, { refused: string }>['refused'], string>> = {
  'no-number': 'This is not a complete phone number. Ask for it with its country code.',
  country: 'Calls to this country are not allowed. Do not try again.',
  'kind-of-number': 'Numbers of this kind are not allowed. Do not try again.',
};

const UNANSWERED: Readonly<Record<Exclude<MemberTransferOutcome, 'accepted'>, string>> = {
  unavailable: 'no colleague is available now',
  declined: 'no colleague took the call',
  'no-answer': 'no colleague took the call',
  failed: 'failed',
};

/**
 * The built-in tools of a call: transfer_call, transfer_to_supervisor, end_call and send_keypad_tones; several transfers
 * are numbered. `collect_keypad` is no tool: the engine always listens to the keys, because models seldom ask for them.
 */
export function callTools(specs: readonly BuiltinToolSpec[]): RuntimeTool[] {
  const ofType = (type: string) => specs.filter((spec) => spec.type === type);
  return [
    ...numbered(ofType('call_transfer').map(transferTool)),
    ...numbered(ofType('warm_call_transfer').map(warmTransferTool)),
    ...ofType('end_call').slice(0, 1).map(endCallTool),
    ...ofType('dtmf_input').slice(0, 1).map(sendTonesTool),
  ];
}

function transferTool(spec: BuiltinToolSpec): RuntimeTool {
  const custom = spec['custom'] === true;
  const target = textOf(spec, 'phone_number');
  const before = spec['warm_transfer'] === true ? textOf(spec, 'warm_transfer_message') : '';
  const description = sentences(
    'Transfers the call to another person and leaves it.',
    textOf(spec, 'description'),
    before && `Before you call it, tell the customer: ${before}`,
    custom && `The usual number is ${target}.`,
  );
  const parameters = {
    type: 'object',
    properties: { phone_number: { type: 'string', description: 'The number to transfer to, as +55…' } },
    required: ['phone_number'],
    additionalProperties: false,
  };
  return callTool('transfer_call', description, custom ? parameters : NO_PARAMETERS, async (args, call) => {
    const { phone_number: wanted } = args;
    if (!custom || wanted === target) return transferOutcome(call, { kind: 'cold', to: dialable(target) });
    const allowed = transferTarget(typeof wanted === 'string' ? wanted : '', call.transferCountries);
    return 'refused' in allowed
      ? errorOutcome(REFUSALS[allowed.refused])
      : transferOutcome(call, { kind: 'cold', to: allowed.e164 });
  });
}

function warmTransferTool(spec: BuiltinToolSpec): RuntimeTool {
  const offer = memberTransfer(spec);
  const description = sentences(
    offer
      ? 'Briefs a colleague, and connects the customer when they take the call.'
      : 'Calls a supervisor, briefs them, and connects the customer when they take the call.',
    textOf(spec, 'description'),
  );
  return callTool('transfer_to_supervisor', description, NO_PARAMETERS, async (_args, call) => {
    const offered = offer && (await call.transferToMember(offer));
    if (offered === 'accepted') return objectOutcome({ transferred: true }, 'acted-on-line');
    if (offered !== null && !textOf(spec, 'supervisor_phone')) return unansweredOutcome(offered);
    return transferOutcome(call, warmTransfer(spec, call));
  });
}

/** Null where the customer is transferred to a telephone. */
function memberTransfer(spec: BuiltinToolSpec): MemberTransfer | null {
  const { target } = spec as { readonly target?: { readonly type?: unknown } | null };
  if (target?.type !== 'members') return null;
  return {
    role: 'operator',
    holdMessage: textOf(spec, 'hold_message'),
    holdMusicVolume: holdMusicVolume(spec),
    summaryInstructions: textOf(spec, 'summary_instructions'),
  };
}

function holdMusicVolume(spec: BuiltinToolSpec): number | null {
  const volume = spec['hold_music_volume'];
  if (spec['hold_music'] === 'none') return null;
  return typeof volume === 'number' ? volume : 80;
}

function unansweredOutcome(reason: Exclude<MemberTransferOutcome, 'accepted'>): ToolOutcome {
  const customer = reason === 'unavailable' ? 'is on the line with you' : 'is back on the line with you';
  return objectOutcome({ transferred: false, reason: UNANSWERED[reason], customer });
}

function warmTransfer(spec: BuiltinToolSpec, call: CallControls): WarmTransfer {
  const supervisor = textOf(spec, 'supervisor_phone');
  return {
    kind: 'warm',
    to: spec['custom_sip'] === true ? supervisor : dialable(supervisor),
    from: callerId(spec, call),
    outboundPhoneId: outboundPhoneId(spec),
    holdMessage: textOf(spec, 'hold_message'),
    holdMusicVolume: holdMusicVolume(spec),
    summaryInstructions: textOf(spec, 'summary_instructions'),
    briefingOpening: textOf(spec, 'briefing_initial_message'),
    connectedMessage: textOf(spec, 'connected_message'),
  };
}

function outboundPhoneId(spec: BuiltinToolSpec): number | null {
  const id = spec['outbound_phone_id'];
  return typeof id === 'number' ? id : null;
}

function callerId(spec: BuiltinToolSpec, { numbers, customerPhone }: CallControls): string | null {
  const outboundId = outboundPhoneId(spec);
  switch (spec['caller_id_mode']) {
    case 'customer_number':
      return customerPhone;
    case 'custom':
      return textOf(spec, 'custom_caller_id') || null;
    default:
      return outboundId === null ? null : (numbers.get(outboundId) ?? null);
  }
}

async function transferOutcome(
  call: CallControls,
  transfer: Parameters<CallControls['transfer']>[0],
): Promise<ToolOutcome> {
  const outcome = await call.transfer(transfer);
  if (typeof outcome === 'object') return errorOutcome(REFUSALS[outcome.refused]);
  return outcome === 'answered'
    ? objectOutcome({ transferred: true }, 'acted-on-line')
    : objectOutcome({ transferred: false, reason: outcome, customer: 'is back on the line with you' });
}

function endCallTool(spec: BuiltinToolSpec): RuntimeTool {
  const description = sentences('Ends the phone call; say goodbye first.', textOf(spec, 'description'));
  return callTool('end_call', description, NO_PARAMETERS, () =>
    Promise.resolve(objectOutcome({ ended: true }, 'end-call')),
  );
}

function sendTonesTool(spec: BuiltinToolSpec): RuntimeTool {
  const description = sentences(
    'Presses keys of the telephone, such as in the menu of another company.',
    textOf(spec, 'description'),
  );
  const parameters = {
    type: 'object',
    properties: { digits: { type: 'string', description: '0-9, *, #, and w to wait half a second' } },
    required: ['digits'],
    additionalProperties: false,
  };
  return callTool(SEND_TONES_TOOL, description, parameters, async ({ digits }, call) => {
    const tones = typeof digits === 'string' || typeof digits === 'number' ? String(digits) : '';
    if (!TONES.test(tones)) return refusedArguments('Only 0-9, A-D, *, # and w can be pressed, 32 at most.');
    return (await call.sendDigits(tones))
      ? objectOutcome({ pressed: tones }, 'acted-on-line')
      : errorOutcome('The keys could not be pressed.');
  });
}

function callTool(
  name: string,
  description: string,
  parameters: Readonly<Record<string, unknown>>,
  run: (args: Readonly<Record<string, unknown>>, call: CallControls) => Promise<ToolOutcome>,
): RuntimeTool {
  return {
    definition: { name, description, parameters },
    run: async (args, { call }: ToolContext) => (call ? run(args, call) : errorOutcome('There is no call.')),
  };
}

function numbered(tools: readonly RuntimeTool[]): RuntimeTool[] {
  return tools.map((tool, index) => {
    const { definition } = tool;
    return index === 0
      ? tool
      : { ...tool, definition: { ...definition, name: `${definition.name}_${index + 1}` } };
  });
}

/** What is no number, such as a short code, goes without the marks people put between digits. */
function dialable(target: string): string {
  return target.includes('@') ? target : target.replace(/[ ().-]/g, '');
}

function sentences(...parts: readonly (string | false)[]): string {
  return parts.filter(Boolean).join(' ');
}

function textOf(spec: BuiltinToolSpec, field: string): string {
  const value = spec[field];
  return typeof value === 'string' ? value : '';
}
