const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether the host of a URL is this machine: what is sent there needs no encryption. */
export function isLoopbackHost({ hostname }: Pick<URL, 'hostname'>): boolean {
  return LOOPBACK.has(hostname);
}
