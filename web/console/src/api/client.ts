import { client } from '#client/client.gen.js';
import { toApiError } from './api-error.js';
import { fetchOrPrefetched } from './prefetch.js';
import { reasonOf } from './reason.js';

/** Configures the client: same origin, session cookie, failures thrown as `ApiError`. */
export function prepareClient(): void {
  client.setConfig({ baseUrl: globalThis.location.origin, throwOnError: true, fetch: fetchOrPrefetched });
  client.interceptors.request.use((request) => {
    // The language of the page, for what is wrong with each field and for the texts of plugins.
    request.headers.set('X-Prosa-Language', document.documentElement.lang.slice(0, 2));
    return request;
  });
  client.interceptors.error.use(async (error, response) =>
    toApiError(error, response, await reasonOf(response)),
  );
}

/** The body of a successful answer: `dataOf(getMe())`. @throws ApiError */
export async function dataOf<Data>(request: Promise<{ data: Data }>): Promise<NonNullable<Data>> {
  const { data } = await request;
  if (data === undefined || data === null) throw new Error('an answer without a body');
  return data;
}
