import { z } from 'zod';

const PATH = '/voice-sample?';

const sampleRequest = z.object({
  userId: z.coerce.number().int(),
  /** As in the catalogue. */
  provider: z.string(),
  /** The voice's name or id at the provider. */
  voiceCode: z.string(),
  gender: z.enum(['female', 'male']),
  /** Language tag such as `pt-BR`. */
  language: z.string(),
  text: z.string().max(200),
});

/** A sentence that a voice process speaks for a listener outside of calls. */
export type SampleRequest = Readonly<z.infer<typeof sampleRequest>>;

export function pathOfSample({ userId, ...sample }: SampleRequest): string {
  return PATH + new URLSearchParams({ ...sample, userId: String(userId) }).toString();
}

/** Null for another path. */
export function sampleOfPath(path: string): SampleRequest | null {
  if (!path.startsWith(PATH)) return null;
  const { data } = sampleRequest.safeParse(Object.fromEntries(new URLSearchParams(path.slice(PATH.length))));
  return data ?? null;
}
