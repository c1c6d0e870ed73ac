import { callNowPt } from '../components/call-now/call-now.pt.js';
import { routingPt } from '../components/routing/routing.pt.js';
import { formsPt } from '../forms/forms.pt.js';
import { analyticsPt } from '../pages/analytics/pt.js';
import { assistantsPt } from '../pages/assistants/pt.js';
import { auditPt } from '../pages/audit/pt.js';
import { billingPt } from '../pages/billing/pt.js';
import { callPagePt } from '../pages/calls/call/pt.js';
import { callsPt } from '../pages/calls/pt.js';
import { campaignsPt } from '../pages/campaigns/pt.js';
import { doNotCallPt } from '../pages/do-not-call/pt.js';
import { inboxPt } from '../pages/inbox/pt.js';
import { keysPt } from '../pages/keys/pt.js';
import { knowledgePt } from '../pages/knowledge/pt.js';
import { livePt } from '../pages/live/pt.js';
import { mcpServersPt } from '../pages/mcp-servers/pt.js';
import { membersPt } from '../pages/members/pt.js';
import { numbersPt } from '../pages/numbers/pt.js';
import { numberRoutingPt } from '../pages/numbers/routing/pt.js';
import { overviewPt } from '../pages/overview/pt.js';
import { privacyPt } from '../pages/privacy/pt.js';
import { settingsPt } from '../pages/settings/pt.js';
import { simulationsPt } from '../pages/simulations/pt.js';
import { toolsPt } from '../pages/tools/pt.js';
import { webhooksPt } from '../pages/webhooks/pt.js';
import { sessionPt } from '../session/session.pt.js';
import { palettePt } from '../shell/palette/palette.pt.js';
import { offersPt } from '../shell/offers/offers.pt.js';
import { shellPt } from '../shell/shell.pt.js';
import { commonPt } from './common.pt.js';

/** Every text of the console, by its area. */
export const texts = {
  common: commonPt,
  forms: formsPt,
  session: sessionPt,
  offers: offersPt,
  shell: shellPt,
  analytics: analyticsPt,
  assistants: assistantsPt,
  audit: auditPt,
  billing: billingPt,
  callNow: callNowPt,
  callPage: callPagePt,
  calls: callsPt,
  campaigns: campaignsPt,
  doNotCall: doNotCallPt,
  inbox: inboxPt,
  keys: keysPt,
  knowledge: knowledgePt,
  live: livePt,
  mcpServers: mcpServersPt,
  members: membersPt,
  numberRouting: numberRoutingPt,
  numbers: numbersPt,
  overview: overviewPt,
  palette: palettePt,
  privacy: privacyPt,
  routing: routingPt,
  settings: settingsPt,
  simulations: simulationsPt,
  tools: toolsPt,
  webhooks: webhooksPt,
};
