import { createRequire } from 'node:module';
import { samplesOf } from '@prosa/audio';

interface LocalInference {
  predict(pcm: Int16Array): Promise<number>;
}

/** What an `inference.TurnDetector` asks; the engine would start a process of its own for it. */
interface InferenceExecutor {
  doInference(method: string, data: unknown): Promise<unknown>;
}

let executor: InferenceExecutor | null = null;

/**
 * Detects by sound whether the customer has finished. The model takes 260 MB once for the process, so it is loaded
 * when the first assistant that needs it talks. A prediction takes about 50 ms of another thread.
 */
export function eotExecutor(): InferenceExecutor {
  executor ??= { doInference: (_method, data) => predict(data) };
  return executor;
}

async function predict(data: unknown): Promise<{ probability: number; inferenceDurationMs: number }> {
  const { pcm } = data as { readonly pcm: string };
  const startedAtMs = performance.now();
  const probability = await localInference().predict(samplesOf(Buffer.from(pcm, 'base64')));
  return { probability, inferenceDurationMs: performance.now() - startedAtMs };
}

let loaded: LocalInference | null = null;

/** The package is CommonJS, and its exports cannot be seen by an import. */
function localInference(): LocalInference {
  loaded ??= createRequire(import.meta.url)('@livekit/local-inference') as LocalInference;
  return loaded;
}
