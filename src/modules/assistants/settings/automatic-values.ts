import { isDeepStrictEqual } from 'node:util';
import type { EffectiveConfig } from '../assistant-details.js';
import type { SentTool } from '../tools/built-in-tool.js';
import { TRANSFER_TEXTS } from '../tools/built-in-tool-texts.js';
import { FILLER_KINDS, type FillerConfig } from './assistant-config.js';
import type { AssistantFields, SentFields } from './assistant-fields.js';

const PROVIDERS = ['synthesizer_provider_id', 'transcriber_provider_id'] as const;
/** Fields whose value, or a part of it, an assistant may decide by itself. */
const MAY_BE_AUTOMATIC = [...PROVIDERS, 'filler_config', 'tools'] as const;

/**
 * A client that edits an assistant reads it, changes a field and sends all of it back, with the automatic values.
 * Such a value must stay automatic: as a chosen one it would outlive the voice or the language that it was decided
 * for.
 *
 * @param stored the assistant as it is stored
 * @param show the same as it is read; asked for only where the request has something that may be automatic
 * @returns the request without the values that were shown and are not stored
 */
export function withoutAutomatic<Request extends SentFields>(
  request: Request,
  stored: AssistantFields,
  show: () => EffectiveConfig,
): Request {
  if (MAY_BE_AUTOMATIC.every((name) => (request[name] ?? null) === null)) return request;
  const shown = show();
  const providers = PROVIDERS.filter((name) => stored[name] === null && request[name] === shown[name]);
  return {
    ...request,
    ...Object.fromEntries(providers.map((name) => [name, null])),
    ...(request.filler_config && {
      filler_config: chosenPhrases(request.filler_config, stored.filler_config, shown.filler_config),
    }),
    ...(request.tools && {
      tools: request.tools.map((tool) => withChosenTexts(tool, stored.tools, shown.tools)),
    }),
  };
}

function chosenPhrases(
  sent: Partial<FillerConfig>,
  stored: Partial<FillerConfig> | null,
  shown: FillerConfig,
): Partial<FillerConfig> {
  const automatic = FILLER_KINDS.filter(
    (kind) => !stored?.[kind] && isDeepStrictEqual(sent[kind], shown[kind]),
  );
  return Object.fromEntries(
    Object.entries(sent).filter(([kind]) => !automatic.some((name) => name === kind)),
  );
}

/** Tools have no names to know them by: it is enough that one of them showed the text. */
function withChosenTexts(
  tool: SentTool,
  stored: readonly SentTool[],
  shown: EffectiveConfig['tools'],
): SentTool {
  if (tool.type !== 'warm_call_transfer') return tool;
  const automatic = TRANSFER_TEXTS.filter((name) =>
    stored.some((own, index) => {
      const complete = shown[index];
      return (
        own.type === tool.type &&
        complete?.type === tool.type &&
        (own[name] ?? null) === null &&
        complete[name] === tool[name]
      );
    }),
  );
  return { ...tool, ...Object.fromEntries(automatic.map((name) => [name, null])) };
}
