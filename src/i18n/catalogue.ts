import { accountsTexts } from './accounts.texts.js';
import { assistantsTexts } from './assistants.texts.js';
import { campaignsTexts } from './campaigns.texts.js';
import { callsTexts } from './calls.texts.js';
import { conversationsTexts } from './conversations.texts.js';
import { doNotCallTexts } from './do-not-call.texts.js';
import { foldersTexts } from './folders.texts.js';
import { httpTexts } from './http.texts.js';
import { leadsTexts } from './leads.texts.js';
import { phoneNumbersTexts } from './phone-numbers.texts.js';
import { privacyTexts } from './privacy.texts.js';
import { knowledgebasesTexts } from './knowledgebases.texts.js';
import { mcpServersTexts } from './mcp-servers.texts.js';
import type { Language, TextEntry, TextParams, TextRef } from './text.js';
import { toolsTexts } from './tools.texts.js';
import { validationTexts } from './validation.texts.js';
import { visitorsTexts } from './visitors.texts.js';
import { webhooksTexts } from './webhooks.texts.js';

/** Every text a response may carry, one file an area. */
const catalogue = {
  ...validationTexts,
  ...httpTexts,
  ...accountsTexts,
  ...knowledgebasesTexts,
  ...assistantsTexts,
  ...campaignsTexts,
  ...callsTexts,
  ...conversationsTexts,
  ...doNotCallTexts,
  ...foldersTexts,
  ...leadsTexts,
  ...mcpServersTexts,
  ...phoneNumbersTexts,
  ...privacyTexts,
  ...toolsTexts,
  ...visitorsTexts,
  ...webhooksTexts,
} as const satisfies Record<string, TextEntry>;

export type TextKey = keyof typeof catalogue;

/** Names a text; the compiler knows every key. */
export function text(key: TextKey, params?: TextParams): TextRef<TextKey> {
  return params ? { key, params } : { key };
}

/**
 * Turns a reference into words. `{max}` is a parameter, `{max:item|items}` a word in the number of one. A placeholder without
 * a parameter stays as it is, so that a mistake shows.
 */
export function render(ref: TextRef<TextKey>, language: Language): string {
  const params = ref.params ?? {};
  return catalogue[ref.key][language].replace(
    /\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g,
    (whole, name: string, one?: string, many?: string) => {
      const value = params[name];
      if (value === undefined) return whole;
      return one === undefined ? String(value) : ((Number(value) === 1 ? one : many) ?? whole);
    },
  );
}

/** A success text of the `/user`, `/auth` and `/automate` routes, which speak Portuguese. */
export function say(key: TextKey, params?: TextParams): string {
  return render(text(key, params), 'pt');
}

export function isTextKey(key: string): key is TextKey {
  return Object.hasOwn(catalogue, key);
}
