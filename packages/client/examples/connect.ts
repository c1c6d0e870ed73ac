import { client } from '../src/index.js';

/** Points the client at the Prosa of `PROSA_URL`, as the account of `PROSA_API_KEY`. */
export function connect(): void {
  const { PROSA_URL, PROSA_API_KEY } = process.env;
  if (!PROSA_URL || !PROSA_API_KEY) throw new Error('Set PROSA_URL and PROSA_API_KEY.');
  client.setConfig({ baseUrl: PROSA_URL, auth: PROSA_API_KEY });
  client.interceptors.response.use(warnOfIgnoredFields);
}

/** Fields that the server does not know have no effect; a misspelled one shows here. */
function warnOfIgnoredFields(response: Response, request: Request): Response {
  const ignored = response.headers.get('Prosa-Ignored-Fields');
  if (ignored) {
    const fields = ignored.split(', ').map(decodeURIComponent).join(', ');
    console.warn(`${request.method} ${request.url}: the server ignored ${fields}`);
  }
  return response;
}
