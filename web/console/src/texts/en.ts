import { callNowEn } from '../components/call-now/call-now.en.js';
import { routingEn } from '../components/routing/routing.en.js';
import { formsEn } from '../forms/forms.en.js';
import { analyticsEn } from '../pages/analytics/en.js';
import { assistantsEn } from '../pages/assistants/en.js';
import { auditEn } from '../pages/audit/en.js';
import { billingEn } from '../pages/billing/en.js';
import { callPageEn } from '../pages/calls/call/en.js';
import { callsEn } from '../pages/calls/en.js';
import { campaignsEn } from '../pages/campaigns/en.js';
import { doNotCallEn } from '../pages/do-not-call/en.js';
import { inboxEn } from '../pages/inbox/en.js';
import { keysEn } from '../pages/keys/en.js';
import { knowledgeEn } from '../pages/knowledge/en.js';
import { liveEn } from '../pages/live/en.js';
import { mcpServersEn } from '../pages/mcp-servers/en.js';
import { membersEn } from '../pages/members/en.js';
import { numbersEn } from '../pages/numbers/en.js';
import { numberRoutingEn } from '../pages/numbers/routing/en.js';
import { overviewEn } from '../pages/overview/en.js';
import { privacyEn } from '../pages/privacy/en.js';
import { settingsEn } from '../pages/settings/en.js';
import { simulationsEn } from '../pages/simulations/en.js';
import { toolsEn } from '../pages/tools/en.js';
import { webhooksEn } from '../pages/webhooks/en.js';
import { sessionEn } from '../session/session.en.js';
import { paletteEn } from '../shell/palette/palette.en.js';
import { offersEn } from '../shell/offers/offers.en.js';
import { shellEn } from '../shell/shell.en.js';
import { commonEn } from './common.en.js';
import type { texts as portuguese } from './pt.js';

/** Every text of the console, by its area. */
export const texts = {
  common: commonEn,
  forms: formsEn,
  session: sessionEn,
  offers: offersEn,
  shell: shellEn,
  analytics: analyticsEn,
  assistants: assistantsEn,
  audit: auditEn,
  billing: billingEn,
  callNow: callNowEn,
  callPage: callPageEn,
  calls: callsEn,
  campaigns: campaignsEn,
  doNotCall: doNotCallEn,
  inbox: inboxEn,
  keys: keysEn,
  knowledge: knowledgeEn,
  live: liveEn,
  mcpServers: mcpServersEn,
  members: membersEn,
  numberRouting: numberRoutingEn,
  numbers: numbersEn,
  overview: overviewEn,
  palette: paletteEn,
  privacy: privacyEn,
  routing: routingEn,
  settings: settingsEn,
  simulations: simulationsEn,
  tools: toolsEn,
  webhooks: webhooksEn,
} satisfies typeof portuguese;
