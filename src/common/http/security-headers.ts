import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';

/** Answers that are no pages: a browser may load nothing because of one, nor show it in a frame. */
const forData = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
});

/**
 * Swagger UI. Its scripts are files of this server, so that none in the page itself is ever run; its page has styles in
 * elements and attributes, and its pictures are data of its style sheet.
 */
const forDocs = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
});

const DOCS = /^\/docs(-json|-yaml)?(\/|$)/i;

export function isDocs({ path }: Request): boolean {
  return DOCS.test(path);
}

/** Sets the headers that keep browsers and caches from doing with an answer what it is not for. */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  if (isDocs(request)) return forDocs(request, response, next);
  // Whatever is not the documentation is about an account, or true for this moment alone; refusals too.
  response.setHeader('Cache-Control', 'no-store');
  forData(request, response, next);
}
