/**
 * Request headers, in lower case, that the connection sets by itself. From a caller they would change the server
 * addressed or where the message ends, so neither tools nor redirects may set them.
 */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
