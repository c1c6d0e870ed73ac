import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import sirv, { type Options } from 'sirv';
import { CONSOLE_FOLDER, isConsoleBuilt } from './web-pages.js';

/** Files whose names change with their content. */
const HASHED = /^\/assets\//;
/** Page of a link to a call. */
const SHARED_CALL = '/shared-call';

/**
 * Scripts come from this server alone. The component library sets styles in elements and attributes. The pages may
 * open a WebSocket to any server, because another one may answer calls.
 */
const pageHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'", 'ws:', 'wss:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
});

/** `/app`: the console, one page that draws all its screens, and its files. `/` leads there. Nothing where it is not built. */
export function serveConsole(app: NestExpressApplication): void {
  if (!isConsoleBuilt()) return;
  const files = sirv(CONSOLE_FOLDER, { single: true, etag: true, brotli: true, gzip: true, setHeaders });
  app.use('/app', (request: Request, response: Response, next: NextFunction) => {
    if (!isRead(request)) return next();
    // Each page of the navigation has a file that names what it needs; the first page has no path to be its name.
    if (request.path === '/') request.url = request.url.replace('/', '/overview');
    if (request.path === SHARED_CALL) response.setHeader('X-Robots-Tag', 'noindex');
    response.setHeader('Permissions-Policy', 'microphone=(self)');
    pageHeaders(request, response, (error?: unknown) => {
      if (error) next(error);
      else files(request, response, next);
    });
  });
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (request.path === '/' && isRead(request)) response.redirect('/app');
    else next();
  });
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function setHeaders(response: Parameters<NonNullable<Options['setHeaders']>>[0], path: string): void {
  // The page itself is asked for again each time, and sent only when it has changed; that of a shared call is not kept.
  const ofPage = response.hasHeader('X-Robots-Tag') ? 'no-store' : 'no-cache';
  response.setHeader('Cache-Control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : ofPage);
}
