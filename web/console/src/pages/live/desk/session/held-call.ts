/** The call that this tab holds: a page that is loaded anew within ten seconds goes on with it. */
const KEY = 'prosa.desk.held';

export function keepHeld(callId: number): void {
  sessionStorage.setItem(KEY, String(callId));
}

export function forgetHeld(): void {
  sessionStorage.removeItem(KEY);
}

export function isHeld(callId: number): boolean {
  return sessionStorage.getItem(KEY) === String(callId);
}
