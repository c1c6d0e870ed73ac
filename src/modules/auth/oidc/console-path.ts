const CONSOLE = '/app';

/** A path of the console as it was given; the console's first page for anything else, such as an address elsewhere. */
export function consolePathOf(path: string | undefined): string {
  if (path === undefined || !/^\/app(\/|$)/.test(path) || /[\\\p{C}]/u.test(path)) return CONSOLE;
  const { pathname, search, hash, host } = new URL(path, 'http://console.invalid');
  const isWithin = host === 'console.invalid' && /^\/app(\/|$)/.test(pathname);
  return isWithin ? pathname + search + hash : CONSOLE;
}
