import { type Check, MISSING_ID, MISSING_UUID, nameOfRoute } from '../check.js';
import type { ContractCheck, DocumentedRoute } from '../contract-check.js';

/** Reads that go on to others' servers, answer with a secret, or are for the session of a person. */
const NOT_READ: ReadonlySet<string> = new Set(['searchPhoneNumbers', 'getWebhookSecret', 'getAvailability']);

/** Checks that the document itself gives: what each route answers to a read, to a missing id and to no token. */
export function checksOfRoutes({ routes }: ContractCheck): Check[] {
  const own = routes.filter(({ path }) => /^\/api\/(user|automate)\//.test(path));
  const reads = own.filter(({ method, operation }) => method === 'get' && answersJson(operation));
  return [
    ...reads.filter(isPlain).map(read),
    ...reads.filter(({ path }) => path.includes('{')).map(missing),
    ...own.map(unauthorized),
  ];
}

function isPlain({ path, operation }: DocumentedRoute): boolean {
  return !path.includes('{') && !NOT_READ.has(operation.operationId ?? '');
}

function answersJson({ responses }: DocumentedRoute['operation']): boolean {
  const success = responses['200'];
  return success !== undefined && 'content' in success && success.content?.['application/json'] !== undefined;
}

function read(route: DocumentedRoute): Check {
  return {
    group: 'Reads',
    title: `${nameOfRoute(route)} answers as documented`,
    run: async ({ client }) => {
      await client.get(route.path);
    },
  };
}

function missing(route: DocumentedRoute): Check {
  return {
    group: 'Missing',
    title: `${nameOfRoute(route)} answers 404 for an id that nothing has`,
    run: async ({ client }) => {
      await client.get(missingPathOf(route), { status: 404 });
    },
  };
}

function unauthorized(route: DocumentedRoute): Check {
  return {
    group: 'Authentication',
    title: `${nameOfRoute(route)} answers 401 without a token`,
    run: async ({ client }) => {
      // No id of anything, and no body: a server that lets it pass has nothing to change.
      await client.send(route.method.toUpperCase(), missingPathOf(route), { status: 401, token: null });
    },
  };
}

function missingPathOf({ path }: DocumentedRoute): string {
  return path.replaceAll('{uuid}', MISSING_UUID).replace(/\{\w+\}/g, String(MISSING_ID));
}
