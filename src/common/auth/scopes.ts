import type { Principal } from './principal.js';
import type { Scope } from './scope.js';

/**
 * `self`: one's own sessions and password, for a signed-in person, or a key without limits. `session`: what the
 * session of the request may do, and its end. `anyone`: any valid token.
 */
export type Need = Scope | 'self' | 'session' | 'anyone';

/** The first rule that fits a route, written `POST /api/user/tools/:id`, says what it needs. */
const NEEDS: readonly (readonly [route: RegExp, need: Need])[] = [
  [/^POST \/api\/auth\/session$/, 'anyone'],
  [/^(POST \/api\/auth\/logout|(GET|HEAD|DELETE) \/api\/auth\/session)$/, 'session'],
  [/ \/api\/auth\//, 'self'],
  [
    / \/api\/user\/(api-keys|audit-log|carrier-accounts|invitations|members|model-keys|privacy|webhook-secret)(\/|$)/,
    'admin',
  ],
  [/ \/api\/user\/(webhook-endpoints\/:id\/secret|phone-numbers\/:id\/routing(\/lookups)?)$/, 'admin'],
  [/^(POST|PUT|PATCH|DELETE) \/api\/user\/conversations(\/|$)/, 'chat'],
  [/ \/api\/user\/(conversations\/assignees|saved-replies(\/:id)?)$/, 'chat'],
  [/ \/api\/(automate|conversations)(\/|$)/, 'chat'],
  [/^(POST|PUT|PATCH|DELETE) \/api\/user\/(make_call|calls|do-not-call)(\/|$)/, 'calls'],
  [/ \/api\/user\/(me\/availability|transfer-offers(\/:id\/(accept|decline))?)$/, 'calls'],
  [/^POST \/api\/(user\/assistant\/:id\/web-call|web-calls)$/, 'calls'],
  [/^(POST|PUT|PATCH|DELETE) \/api\/(user\/)?(campaigns?|leads?)(\/|$)/, 'campaigns'],
  // A question, which is a POST for its body.
  [/^POST \/api\/user\/knowledgebases\/:id\/search$/, 'read'],
  [/^(GET|HEAD) /, 'read'],
  [/^/, 'admin'],
];

/** @param path as the router knows it, `/api/user/tools/:id` */
export function needOf(method: string, path: string): Need {
  const route = `${method.toUpperCase()} ${path}`;
  const found = NEEDS.find(([rule]) => rule.test(route));
  if (!found) throw new Error('the last rule fits every route');
  return found[1];
}

type Caller = Pick<Principal, 'via' | 'memberId' | 'scopes'>;

export function mayDo({ scopes, via, memberId }: Caller, need: Need): boolean {
  if (scopes === undefined || need === 'anyone') return true;
  if (need === 'session') return via === 'session';
  if (need === 'self') return memberId !== undefined;
  return scopes.includes(need);
}

/** Whether a person is behind the request: a session, unless a limited key has begun it. */
export function isOfPerson(caller: Caller): boolean {
  return caller.via === 'session' && mayDo(caller, 'self');
}
