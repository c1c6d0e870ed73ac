// Asks the server for a call, working out a challenge where the assistant wants one.
import { WebCallError } from './web-call.js';

const API = '/api';

/** @param {string} assistantId */
export async function openWebCall(assistantId) {
  const body = { assistant_id: assistantId };
  const first = await post(`${API}/web-calls`, body);
  if (first.ok) return first.json();
  if (first.status !== 403) throw new WebCallError('refused', await errorOf(first));
  const asked = await post(`${API}/conversations/challenges/${assistantId}`, {});
  if (!asked.ok) throw new WebCallError('refused', await errorOf(first));
  const challenge = await asked.json();
  const second = await post(`${API}/web-calls`, {
    ...body,
    challenge_token: challenge.token,
    challenge_solution: await solve(challenge),
  });
  if (!second.ok) throw new WebCallError('refused', await errorOf(second));
  return second.json();
}

async function post(url, body) {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch {
    throw new WebCallError('network');
  }
}

async function errorOf(response) {
  const body = await response.json().catch(() => ({}));
  return body.error ?? body.message ?? '';
}

/** A text for which SHA-256 of `token.solution` begins with so many zero bits. */
async function solve({ token, difficulty }) {
  for (let solution = 0; ; solution++) {
    const text = new TextEncoder().encode(`${token}.${solution}`);
    const hash = new DataView(await crypto.subtle.digest('SHA-256', text));
    if (Math.clz32(hash.getUint32(0)) >= difficulty) return String(solution);
  }
}
