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

/** An operation of the generated client. */
type Operation = (options: never) => Promise<{ data?: unknown }>;
type OptionsOf<Op extends Operation> = Omit<NonNullable<Parameters<Op>[0]>, 'throwOnError'>;

/** The body of a successful answer: `dataOf(getCall, { path: { id } })`. @throws ApiError */
export async function dataOf<Op extends Operation>(
  operation: Op,
  options: OptionsOf<Op>,
): Promise<NonNullable<Awaited<ReturnType<Op>>['data']>> {
  const { data } = await operation(options as never);
  if (data === undefined || data === null) throw new Error('an answer without a body');
  return data;
}

/** The file that an operation answers with. @throws ApiError */
export async function fileOf<Op extends Operation>(operation: Op, options: OptionsOf<Op>): Promise<Blob> {
  const { data } = await operation({ ...options, parseAs: 'blob' } as never);
  if (!(data instanceof Blob)) throw new Error('an export that is no file');
  return data;
}
