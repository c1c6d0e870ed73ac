import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';

const WEB = fileURLToPath(new URL('../../../web/', import.meta.url));

/** Pages load only files of this server; a call's WebSocket may be at another address of the installation. */
const pageHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      connectSrc: ["'self'", 'ws:', 'wss:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
});

/** `/talk/{uuid}`: a page that talks to one assistant, and its files under `/talk-assets`. */
export function servePages(app: NestExpressApplication): void {
  const talk = join(WEB, 'talk');
  app.use('/talk-assets', forPages);
  app.useStaticAssets(talk, { prefix: '/talk-assets', index: false, redirect: false });
  app.use('/talk', (request: Request, response: Response, next: NextFunction) => {
    const isPage = /^\/[0-9a-f-]{36}\/?$/i.test(request.path) && ['GET', 'HEAD'].includes(request.method);
    if (!isPage) return next();
    forPages(request, response, (error?: unknown) => {
      if (error) next(error);
      else response.sendFile('index.html', { root: talk });
    });
  });
}

function forPages(request: Request, response: Response, next: NextFunction): void {
  // Asked for again each time, and sent only when it has changed.
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Permissions-Policy', 'microphone=(self)');
  pageHeaders(request, response, next);
}
