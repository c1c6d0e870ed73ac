// Copied into the generated client by `npm run build`.

/** The one route that asks for a Content-Type although its request has no body. The generated client takes the header away. */
const READS_TOOL = /\/user\/tools\/\d+$/;

/** Adds the header that reading a mid-call tool asks for. */
export function withJsonHeaders(request: Request): Request {
  if (request.method === 'GET' && READS_TOOL.test(new URL(request.url).pathname))
    request.headers.set('Content-Type', 'application/json');
  return request;
}
