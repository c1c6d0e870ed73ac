import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { FileStorage } from '../../src/providers/storage/file-storage.js';
import { packRecording } from '../../src/voice/recording/pack-recording.js';
import type { TestApp } from './app.js';

const RATE_HZ = 8_000;

export interface RecordedTurn {
  readonly role: 'assistant' | 'customer';
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly interrupted?: boolean;
}

/** Replaces the turns of a call. */
export async function addTurns(
  app: TestApp,
  { id, userId }: { readonly id: number; readonly userId: number },
  turns: readonly RecordedTurn[],
): Promise<void> {
  await app.query(
    `INSERT INTO call_turns (call_id, user_id, position, role, text, start_ms, end_ms, interrupted)
     SELECT $1, $2, at - 1, turn->>'role', turn->>'text', (turn->>'startMs')::int, (turn->>'endMs')::int,
       coalesce((turn->>'interrupted')::boolean, false)
     FROM jsonb_array_elements($3) WITH ORDINALITY AS given (turn, at)`,
    [id, userId, JSON.stringify(turns)],
  );
}

/**
 * Stores a recording of a call that is over.
 *
 * @param samples 16 bits, both sides in turn: the customer, then the assistant; 8,000 of each a second
 */
export async function addRecording(
  app: TestApp,
  { id, userId }: { readonly id: number; readonly userId: number },
  samples: Int16Array,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-call-'));
  const [raw, packed] = [join(folder, 'call.raw'), join(folder, 'call.ogg')];
  await writeFile(raw, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
  await packRecording({ path: raw, sampleRateHz: RATE_HZ }, packed);
  const sound = await readFile(packed);
  await rm(folder, { recursive: true });
  const key = `recordings/${userId}/${id}-x.ogg`;
  const about = { bytes: sound.length, contentType: 'audio/ogg' };
  await app.app.get(FileStorage).put(key, Readable.from([sound]), about);
  await app.query(
    'UPDATE calls SET recording_key = $2, recording_bytes = $3, recording_enabled = true WHERE id = $1',
    [id, key, sound.length],
  );
}

/** The customer speaks in the first half and the assistant in the second, for samples of `addRecording`. */
export function twoSides(seconds: number): Int16Array {
  const count = seconds * RATE_HZ;
  const samples = new Int16Array(count * 2);
  for (let at = 0; at < count; at++) {
    const side = at < count / 2 ? 0 : 1;
    samples[at * 2 + side] = Math.round(12_000 * Math.sin((2 * Math.PI * 440 * at) / RATE_HZ));
  }
  return samples;
}
