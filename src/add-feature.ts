import type { Feature } from './feature.js';
import { addTexts } from './i18n/catalogue.js';
import { addToolForm } from './modules/assistants/dto/built-in-tool.request.js';
import { addWebhookEvent } from './modules/webhooks/webhook-events.js';
import { addAssistantTool } from './runtime/tools/assistant-tool.js';
import { isOwnToolName } from './runtime/builtin-tool-names.js';

/**
 * Makes texts, tools and webhook events of a feature known, once in a process and before the application is built: what
 * validates requests and what documents them is made of these lists.
 *
 * @throws Error when a name is wrong or there already
 */
export function addFeature({ texts, tools = [], webhookEvents = [] }: Feature): void {
  if (texts) addTexts(texts);
  for (const tool of tools) {
    addAssistantTool(tool, isOwnToolName);
    addToolForm(tool.type, tool.form);
  }
  for (const event of webhookEvents) addWebhookEvent(event);
}
