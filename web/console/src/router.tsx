import type { QueryClient } from '@tanstack/react-query';
import { createRouter as createTanStackRouter } from '@tanstack/react-router';
import { NoPage, PageFailure } from './components/page/page-failure.js';
import { analyticsRoute } from './pages/analytics/route.js';
import { assistantRoute, assistantsRoute } from './pages/assistants/route.js';
import { auditRoute } from './pages/audit/route.js';
import { billingRoute } from './pages/billing/route.js';
import { callRoute, callsRoute, sharedCallRoute } from './pages/calls/route.js';
import { campaignRoute, campaignsRoute, newCampaignRoute } from './pages/campaigns/route.js';
import { doNotCallRoute } from './pages/do-not-call/route.js';
import { inboxRoute } from './pages/inbox/route.js';
import { keysRoute } from './pages/keys/route.js';
import { knowledgebaseRoute, knowledgeRoute } from './pages/knowledge/route.js';
import { liveRoute } from './pages/live/route.js';
import { mcpServerRoute, mcpServersRoute } from './pages/mcp-servers/route.js';
import { membersRoute } from './pages/members/route.js';
import { numberRoutingRoute, numbersRoute } from './pages/numbers/route.js';
import { overviewRoute } from './pages/overview/route.js';
import { pluginRoute } from './pages/plugins/route.js';
import { privacyRoute } from './pages/privacy/route.js';
import { settingsRoute } from './pages/settings/route.js';
import { simulationsRoute } from './pages/simulations/route.js';
import { newToolRoute, toolRoute, toolsRoute } from './pages/tools/route.js';
import { webhooksRoute } from './pages/webhooks/route.js';
import {
  enterRoute,
  forgotRoute,
  joinRoute,
  linkAccountRoute,
  newPasswordRoute,
  rootRoute,
  shellRoute,
  signInRoute,
} from './routes.js';

const routeTree = rootRoute.addChildren([
  signInRoute,
  joinRoute,
  enterRoute,
  forgotRoute,
  linkAccountRoute,
  newPasswordRoute,
  sharedCallRoute,
  shellRoute.addChildren([
    overviewRoute,
    inboxRoute,
    liveRoute,
    callsRoute,
    callRoute,
    campaignsRoute,
    newCampaignRoute,
    campaignRoute,
    doNotCallRoute,
    analyticsRoute,
    assistantsRoute,
    assistantRoute,
    simulationsRoute,
    toolsRoute,
    newToolRoute,
    toolRoute,
    mcpServersRoute,
    mcpServerRoute,
    knowledgeRoute,
    knowledgebaseRoute,
    numbersRoute,
    numberRoutingRoute,
    webhooksRoute,
    membersRoute,
    keysRoute,
    billingRoute,
    auditRoute,
    privacyRoute,
    settingsRoute,
    pluginRoute,
  ]),
]);

export function createRouter(queries: QueryClient) {
  return createTanStackRouter({
    routeTree,
    basepath: '/app',
    // Drops unknown filters: `?status=nope` would reach the API.
    search: { strict: true },
    context: { queries },
    defaultPreload: 'intent',
    defaultErrorComponent: PageFailure,
    defaultNotFoundComponent: NoPage,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createRouter>;
  }
}
