// Asks the server for a call, working out a challenge where the assistant wants one.
import { WebCallError } from './web-call.js';
import { whileStarting } from './while-starting.js';

const API = '/api';

/**
 * Opens a call. Waits while the server says when to come back.
 *
 * @param {string} assistantId
 * @param {{ language: 'pt' | 'en', onStarting: () => void, isOver: () => boolean }} page in whose language the server refuses a
 * call; it hears that the server is starting, and says whether the call is not wanted any more
 */
export function openWebCall(assistantId, { language, onStarting, isOver }) {
  const waitMsOf = (error) => error.retryAfterMs ?? 0;
  return whileStarting(() => askForCall(assistantId, language), { waitMsOf, onWait: onStarting, isOver });
}

async function askForCall(assistantId, language) {
  const body = { assistant_id: assistantId };
  const first = await post(`${API}/web-calls`, body, language);
  if (first.ok) return first.json();
  if (first.status !== 403) throw await refusalOf(first);
  const asked = await post(`${API}/conversations/challenges/${assistantId}`, {}, language);
  if (!asked.ok) throw await refusalOf(first);
  // Undefined on plain http.
  if (!crypto.subtle) throw new WebCallError('insecure');
  const challenge = await asked.json();
  const solved = { challenge_token: challenge.token, challenge_solution: await solve(challenge) };
  const second = await post(`${API}/web-calls`, { ...body, ...solved }, language);
  if (!second.ok) throw await refusalOf(second);
  return second.json();
}

async function post(url, body, language) {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Prosa-Language': language },
      body: JSON.stringify(body),
    });
  } catch {
    throw new WebCallError('network');
  }
}

async function refusalOf(response) {
  const body = await response.json().catch(() => ({}));
  const refusal = new WebCallError('refused', body.error ?? body.message ?? '');
  const seconds = Number(response.headers.get('Retry-After'));
  if (response.status === 503 && seconds > 0) refusal.retryAfterMs = seconds * 1_000;
  return refusal;
}

/** A text for which SHA-256 of `token.solution` begins with so many zero bits. */
async function solve({ token, difficulty }) {
  for (let solution = 0; ; solution++) {
    const text = new TextEncoder().encode(`${token}.${solution}`);
    const hash = new DataView(await crypto.subtle.digest('SHA-256', text));
    if (Math.clz32(hash.getUint32(0)) >= difficulty) return String(solution);
  }
}
