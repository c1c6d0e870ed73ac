/** What `shellRoute` needs before it shows any page: who is signed in, the settings of the account, the rights. */
const OF_EVERY_PAGE = ['/api/user/me', '/api/user/settings', '/api/auth/session'];
/** What else a page shows first, as its own query asks for it, to the letter. */
const OF_PAGES: Readonly<Record<string, string>> = {
  '/app/inbox': '/api/user/conversations?type=widget&sort=activity&state=open&per_page=30',
};
/** An answer that nobody has wanted for so long is too old for who wants it then. */
const KEEP_MS = 15_000;
/** These are for people who are not signed in. */
const OPEN_PAGES = /^\/app\/(sign-in|join|password)\/?$/;

const answers = new Map<string, Promise<Response>>();

/** Sends what every page begins with, before the code is there that asks for it. */
export function sendEarly({ origin, pathname, search }: Location): void {
  if (OPEN_PAGES.test(pathname)) return;
  const ofPage = search === '' ? OF_PAGES[pathname] : undefined;
  for (const path of [...OF_EVERY_PAGE, ...(ofPage ? [ofPage] : [])]) {
    const answer = fetch(path);
    // Who takes the answer sees the failure; nobody has to take it.
    answer.catch(() => undefined);
    answers.set(origin + path, answer);
  }
  setTimeout(() => answers.clear(), KEEP_MS);
}

/** Nobody is signed in: whoever is in a moment must not be given the refusals of now. */
export function forgetEarly(): void {
  answers.clear();
}

/** `fetch` of the typed client: a request that was sent early is answered by that, once. */
export const fetchOnce: typeof fetch = (input, init) => {
  const isRead = input instanceof Request && input.method === 'GET';
  const early = isRead ? answers.get(input.url) : undefined;
  if (!isRead || !early) return fetch(input, init);
  answers.delete(input.url);
  return early;
};
