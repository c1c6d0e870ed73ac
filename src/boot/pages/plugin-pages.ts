import { fileURLToPath } from 'node:url';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import sirv from 'sirv';
import type { Plugin } from '../../plugins/plugin.js';

/** As for the console, which shows them in a frame: scripts come from this server alone. */
const pageHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'self'"],
    },
  },
});

/** `/plugins/{name}/`: the files of a plugin's page. `/plugins/pages.json` lists them for the navigation of the console. */
export function servePluginPages(app: NestExpressApplication, plugins: readonly Plugin[]): void {
  const pages = plugins.flatMap(({ name, console: page }) => (page ? [{ name, ...page }] : []));
  const list = pages.map(({ name, title }) => ({ name, title, url: urlOf(name) }));
  app.use('/plugins/pages.json', (request: Request, response: Response, next: NextFunction) => {
    if (!isRead(request)) return next();
    response.setHeader('Cache-Control', 'no-cache');
    response.json(list);
  });
  for (const { name, folder } of pages) {
    const files = sirv(fileURLToPath(folder), { etag: true });
    app.use(urlOf(name), (request: Request, response: Response, next: NextFunction) => {
      if (!isRead(request)) return next();
      // Relative addresses in the page begin with its folder.
      if (!request.originalUrl.startsWith(urlOf(name))) return response.redirect(urlOf(name));
      response.setHeader('Cache-Control', 'no-cache');
      pageHeaders(request, response, (error?: unknown) => {
        if (error) next(error);
        else files(request, response, next);
      });
    });
  }
}

function urlOf(name: string): string {
  return `/plugins/${name}/`;
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}
