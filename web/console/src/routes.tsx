import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { ApiError } from './api/api-error.js';
import { dropPrefetched } from './api/prefetch.js';
import { NoPage, PageFailure } from './components/page/page-failure.js';
import { meQuery, settingsQuery } from './session/me.js';
import { includes, rightsQuery, type Scope } from './session/rights.js';
import { Shell } from './shell/shell.js';

interface RouteContext {
  readonly queries: QueryClient;
}

export const rootRoute = createRootRouteWithContext<RouteContext>()({
  component: Outlet,
  notFoundComponent: NoPage,
});

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  // Accepts own paths only: the author of a link must not redirect the reader elsewhere.
  validateSearch: ({ to, problem }: Record<string, unknown>): { to?: string; problem?: string } => ({
    ...(typeof to === 'string' && /^\/app(\/|$)/.test(to) && { to }),
    ...(typeof problem === 'string' && { problem }),
  }),
  component: lazyRouteComponent(() => import('./session/sign-in-page.js'), 'SignInPage'),
});

/** Page of an invitation. The token is in the fragment, which servers and logs do not see. */
export const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/join',
  component: lazyRouteComponent(() => import('./session/join-page.js'), 'JoinPage'),
});

/** Page that links an existing email to the identity provider. The email is in the fragment. */
export const linkAccountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/link-account',
  component: lazyRouteComponent(() => import('./session/link-account-page.js'), 'LinkAccountPage'),
});

/** Page of a sign-in link of the operator. The token is in the fragment. */
export const enterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/enter',
  component: lazyRouteComponent(() => import('./session/enter-page.js'), 'EnterPage'),
});

/** Page for people who have forgotten their password. */
export const forgotRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot',
  component: lazyRouteComponent(() => import('./session/forgot-page.js'), 'ForgotPage'),
});

/** Page of a password reset link. The token is in the fragment. */
export const newPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/password',
  component: lazyRouteComponent(() => import('./session/new-password-page.js'), 'NewPasswordPage'),
});

/** Parent of every page that requires a session. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: async ({ context: { queries }, location }) => {
    try {
      await Promise.all([
        queries.ensureQueryData(meQuery),
        queries.ensureQueryData(settingsQuery),
        queries.ensureQueryData(rightsQuery),
      ]);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      dropPrefetched();
      throw redirect({ to: '/sign-in', search: { to: `/app${location.href}` } });
    }
  },
  component: Shell,
  errorComponent: PageFailure,
});

/** For `beforeLoad` of a page that requires a right. */
export function only(scope: Scope) {
  return async ({ context: { queries } }: { readonly context: RouteContext }): Promise<void> => {
    if (!includes(await queries.ensureQueryData(rightsQuery), scope)) throw redirect({ to: '/' });
  };
}
