import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import sirv from 'sirv';

/** The chat for pages of others, as `npm run build` leaves it. */
const FOLDER = fileURLToPath(new URL('../../../web/dist/widget/', import.meta.url));
const LOADER = '/widget.js';
/** Files whose names change with their content. */
const HASHED = '/widget-assets/';
const CHAT_PAGE = /^\/chat\/[0-9a-f-]{36}\/?$/i;

/** Everything is a file of this server; a call's WebSocket may be at another address of the installation. */
const pageHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'", 'ws:', 'wss:'],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
});

/**
 * `/widget.js`, which pages of others name, the files it imports, and `/chat/{uuid}`, a page with nothing but the chat.
 * Nothing where they are not built.
 */
export function serveWidget(app: NestExpressApplication): void {
  if (!existsSync(join(FOLDER, LOADER))) return;
  const files = sirv(FOLDER, { etag: true, brotli: true, gzip: true, setHeaders: keep });
  app.use((request: Request, response: Response, next: NextFunction) => {
    const { method, path } = request;
    if (method !== 'GET' && method !== 'HEAD') return next();
    if (path === LOADER || path.startsWith(HASHED)) {
      forPagesOfOthers(response);
      return files(request, response, next);
    }
    if (CHAT_PAGE.test(path)) return sendChatPage(request, response, next);
    next();
  });
}

/** A page of any origin and embedding policy may load it; the API limits its requests. */
function forPagesOfOthers(response: Response): void {
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.setHeader('Access-Control-Allow-Origin', '*');
}

/** A file that is there. One that another process has, within a rolling upgrade, must not be missing for a year. */
function keep(response: ServerResponse, path: string): void {
  const cache = path === LOADER ? 'max-age=300' : 'max-age=31536000, immutable';
  response.setHeader('Cache-Control', `public, ${cache}`);
}

function sendChatPage(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Permissions-Policy', 'microphone=(self)');
  pageHeaders(request, response, (error?: unknown) => {
    if (error) next(error);
    else response.sendFile('chat.html', { root: FOLDER });
  });
}
