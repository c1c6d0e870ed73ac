/** Browsers and servers take longer ones, sites do not use them. As long as a request may name them. */
export const MAX_ADDRESS_LENGTH = 2_048;

/** Parameters that say where a visitor came from, and not what is shown. */
const TRACKING = /^(utm_\w+|gclid|fbclid|msclkid|mc_cid|mc_eid|_ga|igshid)$/i;

/** Addresses of files that are not pages, by their ending. */
const NO_PAGE =
  /\.(?:avif|bmp|css|csv|docx?|dmg|eot|exe|gif|gz|ico|jpe?g|js|json|m4a|mov|mp3|mp4|ogg|png|pptx?|rar|rss|svg|tar|tiff?|ttf|wav|webm|webp|woff2?|xlsx?|xml|zip)$/i;

/** One address of a page among the many it has: without fragment and tracking parameters. */
export function normalisedUrl(address: string): string {
  const url = new URL(address);
  url.hash = '';
  url.username = '';
  url.password = '';
  // Rewriting the query re-encodes it, so it is done only where needed, and once: each change writes the whole address.
  const parameters = [...url.searchParams];
  const kept = parameters.filter(([name]) => !TRACKING.test(name));
  if (kept.length < parameters.length) url.search = new URLSearchParams(kept).toString();
  return url.href;
}

/** Whether two addresses are of one site; with and without `www.` it is the same. */
export function isSameSite(a: string, b: string): boolean {
  return siteOf(a) === siteOf(b);
}

/** Whether an address may lead to a page worth following. */
export function isPageUrl(address: string): boolean {
  const { protocol, pathname } = new URL(address);
  return (protocol === 'http:' || protocol === 'https:') && !NO_PAGE.test(pathname);
}

function siteOf(address: string): string {
  const { hostname, port } = new URL(address);
  return `${hostname.replace(/^www\./, '')}:${port}`;
}
