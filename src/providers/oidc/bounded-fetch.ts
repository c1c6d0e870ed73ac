const MAX_BYTES = 1_048_576;

/** Where the answer of a provider is longer than any that it needs to send. */
class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

/** Follows no redirect and reads no more than a mebibyte. The caller's signal limits the time. */
export async function boundedFetch(url: string, options: object): Promise<Response> {
  const response = await fetch(url, { ...options, redirect: 'manual' });
  const { status, headers } = response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES)
      throw new AnswerTooLargeError(`${new URL(url).host} sends more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers });
}
