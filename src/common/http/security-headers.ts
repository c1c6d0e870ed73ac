import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';

/** Answers that are no pages: a browser may load nothing because of one, nor show it in a frame. */
const FOR_DATA = headersOf(
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
  }),
);

/**
 * Swagger UI. Its scripts are files of this server, so inline scripts are forbidden. Its page has styles in elements
 * and attributes, and its pictures are data of its style sheet.
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
  // Answers outside the documentation are about an account, or true for this moment alone; refusals too.
  response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of FOR_DATA) response.setHeader(name, value);
  next();
}

/** What a helmet sets, asked once: it is the same for each answer, and a dozen middlewares are work for each request. */
function headersOf(middleware: ReturnType<typeof helmet>): readonly (readonly [string, string])[] {
  const headers: [string, string][] = [];
  const response = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  middleware({} as Request, response as unknown as Response, (error?: unknown) => {
    if (error instanceof Error) throw error;
  });
  return headers;
}
