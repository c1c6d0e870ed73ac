import { accountDataTexts } from './account-data.texts.js';
import { accountsTexts } from './accounts.texts.js';
import { analyticsTexts } from './analytics.texts.js';
import { assistantsTexts } from './assistants.texts.js';
import { campaignsTexts } from './campaigns.texts.js';
import { callsTexts } from './calls.texts.js';
import { conversationsTexts } from './conversations.texts.js';
import { emailsTexts } from './emails.texts.js';
import { foldersTexts } from './folders.texts.js';
import { labelsTexts } from './labels.texts.js';
import { httpTexts } from './http.texts.js';
import { leadsTexts } from './leads.texts.js';
import { phoneNumbersTexts } from './phone-numbers.texts.js';
import { privacyTexts } from './privacy.texts.js';
import { knowledgebasesTexts } from './knowledgebases.texts.js';
import { mcpServersTexts } from './mcp-servers.texts.js';
import type { Language, TextCollection, TextEntry, TextParams, TextRef } from './text.js';
import { toolsTexts } from './tools.texts.js';
import { validationTexts } from './validation.texts.js';
import { visitorsTexts } from './visitors.texts.js';
import { webhooksTexts } from './webhooks.texts.js';

/** The product's own texts, one file an area. */
const ownTexts = {
  ...validationTexts,
  ...httpTexts,
  ...accountDataTexts,
  ...accountsTexts,
  ...analyticsTexts,
  ...knowledgebasesTexts,
  ...assistantsTexts,
  ...campaignsTexts,
  ...callsTexts,
  ...conversationsTexts,
  ...emailsTexts,
  ...foldersTexts,
  ...labelsTexts,
  ...leadsTexts,
  ...mcpServersTexts,
  ...phoneNumbersTexts,
  ...privacyTexts,
  ...toolsTexts,
  ...visitorsTexts,
  ...webhooksTexts,
} as const satisfies Record<string, TextEntry>;

declare const added: unique symbol;

/** Key of a text that is not in the list above, see `defineTexts`. */
export type AddedTextKey = string & { readonly [added]: true };

export type TextKey = keyof typeof ownTexts | AddedTextKey;

/** Every text a response may carry. */
const catalogue = new Map<string, TextEntry>(Object.entries(ownTexts));

/**
 * Adds the texts of a module or a plugin, before the first request.
 *
 * @throws Error when one of the keys is there already, with another text
 */
export function addTexts({ entries }: TextCollection): void {
  for (const [key, entry] of Object.entries(entries)) {
    const known = catalogue.get(key);
    if (known && known !== entry) throw new Error(`the text ${key} exists already, with other words`);
    catalogue.set(key, entry);
  }
}

/** Names a text; the compiler knows every key. */
export function text(key: TextKey, params?: TextParams): TextRef<TextKey> {
  return params ? { key, params } : { key };
}

/**
 * Turns a reference into words. `{max}` is a parameter, `{max:item|items}` a word in the number of one. A placeholder without
 * a parameter stays as it is, so that a mistake shows.
 */
export function render(ref: TextRef<TextKey>, language: Language): string {
  const entry = catalogue.get(ref.key);
  if (!entry) throw new Error(`the text ${ref.key} is not in the catalogue: list it in \`texts\``);
  return fill(entry[language], ref.params);
}

/**
 * The words of a text for a page of ours, or null where the page has to show what the server says: it has no such text, such
 * as that of a plugin, or a parameter is missing.
 */
export function renderForPages(ref: TextRef, language: Language): string | null {
  const entry = catalogue.get(ref.key);
  if (!entry) return null;
  const words = fill((entry.pages ?? entry)[language], ref.params);
  return /\{\w+[:}]/.test(words) ? null : words;
}

function fill(words: string, params: TextParams = {}): string {
  return words.replace(
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
  return catalogue.has(key);
}
