/** Requests of `shellRoute`, before any page: the person, the settings of the account and the rights. */
const OF_EVERY_PAGE = ['/api/user/me', '/api/user/settings', '/api/auth/session'];
/** First requests of single pages. Each URL must equal that of the page's query. */
const OF_PAGES: Readonly<Record<string, string>> = {
  '/app/inbox': '/api/user/conversations?type=widget&sort=activity&state=open&per_page=30',
};
/** Older answers may be stale. */
const KEEP_MS = 15_000;
/** Pages for people who are not signed in. */
const OPEN_PAGES = /^\/app\/(enter|forgot|join|link-account|password|shared-call|sign-in)\/?$/;

const answers = new Map<string, Promise<Response>>();

/** Sends the first requests of a page before the code of the page has loaded. */
export function prefetch({ origin, pathname, search }: Location): void {
  if (OPEN_PAGES.test(pathname)) return;
  const ofPage = search === '' ? OF_PAGES[pathname] : undefined;
  for (const path of [...OF_EVERY_PAGE, ...(ofPage ? [ofPage] : [])]) {
    const answer = fetch(path);
    // The caller of `fetchOrPrefetched` sees the failure, if there is one.
    answer.catch(() => undefined);
    answers.set(origin + path, answer);
  }
  setTimeout(() => answers.clear(), KEEP_MS);
}

/** Drops the answers: after signing in, refusals from before must not be used. */
export function dropPrefetched(): void {
  answers.clear();
}

/** `fetch` of the typed client. Uses a prefetched answer once. */
export const fetchOrPrefetched: typeof fetch = (input, init) => {
  const isRead = input instanceof Request && input.method === 'GET';
  const early = isRead ? answers.get(input.url) : undefined;
  if (!isRead || !early) return fetch(input, init);
  answers.delete(input.url);
  return early;
};
