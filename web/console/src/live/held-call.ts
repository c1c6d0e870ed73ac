/** The call that this tab holds: a page that is loaded anew within ten seconds goes on with it. */
const KEY = 'prosa.desk.held';
/** The same call, until its desk is open for the first time. */
const ACCEPTED_KEY = 'prosa.desk.accepted';

export function keepHeld(callId: number): void {
  sessionStorage.setItem(KEY, String(callId));
}

/** The person has accepted a call that is offered, and its desk opens now. */
export function keepAccepted(callId: number): void {
  keepHeld(callId);
  sessionStorage.setItem(ACCEPTED_KEY, String(callId));
}

export function forgetHeld(): void {
  sessionStorage.removeItem(KEY);
}

export function isHeld(callId: number): boolean {
  return sessionStorage.getItem(KEY) === String(callId);
}

/** True once for each call that was accepted. */
export function wasJustAccepted(callId: number): boolean {
  const accepted = sessionStorage.getItem(ACCEPTED_KEY);
  sessionStorage.removeItem(ACCEPTED_KEY);
  return accepted === String(callId);
}
