/** Below the public address. A process is named in what it gives Twilio, so that whoever hears of a call finds it again. */
const PATH = /^\/twilio\/(?:voice|([0-9a-f-]{36})\/(media|calls\/[\w%.~-]{1,200}))$/;

export type TwilioPath =
  /** A call has come in; any process that takes calls may answer. */
  { readonly kind: 'voice' } | { readonly kind: 'media' | 'callback'; readonly processId: string };

/** Null for what is nothing of Twilio's. */
export function twilioPathOf(url: string | undefined): TwilioPath | null {
  const [path, processId, what] = PATH.exec(url ?? '') ?? [];
  if (path === undefined) return null;
  if (processId === undefined) return { kind: 'voice' };
  return { kind: what === 'media' ? 'media' : 'callback', processId };
}

/** What a voice process has Twilio call back at. */
export function twilioAddressOf(publicUrl: string, processId: string): string {
  return `${publicUrl}/twilio/${processId}`;
}

/** The key of the call that a callback is for. */
export function keyOfCallback(url: string | undefined): string | null {
  const [, key] = /\/calls\/([\w%.~-]{1,200})$/.exec(url ?? '') ?? [];
  try {
    return key === undefined ? null : decodeURIComponent(key);
  } catch {
    return null;
  }
}
