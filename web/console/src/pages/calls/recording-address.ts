/** Path of a recording on this origin, as the session cookie and the page's policy require. */
export function ownAddress(recording: string): string {
  const { pathname, search, href } = new URL(recording, globalThis.location.href);
  return pathname.startsWith('/api/') ? `${pathname}${search}` : href;
}
