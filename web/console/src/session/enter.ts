import { beginBrowserSession, logout } from '#client/sdk.gen.js';
import type { SessionResponse } from '#client/types.gen.js';
import { dataOf } from '../api/client.js';

/** Signs in by cookie after a password was set. The answer also opened a session with a token for programs: ends that one. */
export async function enter({ user, token }: SessionResponse, password: string): Promise<void> {
  await dataOf(beginBrowserSession, { body: { email: user.email, password } });
  await logout({ headers: { Authorization: `Bearer ${token}` }, throwOnError: true });
}
