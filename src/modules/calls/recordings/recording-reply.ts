import { createHash } from 'node:crypto';
import { applyDecorators, StreamableFile } from '@nestjs/common';
import { ApiHeader, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiMessageErrors } from '../../../common/http/api-docs.js';
import type { ByteRange } from '../../../providers/storage/file-storage.js';
import { NoSuchPartError } from '../calls.errors.js';
import type { Recording } from './recordings.service.js';

const CONTENT_TYPE = 'audio/ogg';

/** Documents an answer of `recordingReply`. */
export function ApiRecording(): MethodDecorator {
  const content = { [CONTENT_TYPE]: { schema: { type: 'string', format: 'binary' } } } as const;
  return applyDecorators(
    ApiHeader({
      name: 'Range',
      required: false,
      description: 'A part of the recording, in bytes',
      schema: { type: 'string', example: 'bytes=0-65535' },
    }),
    ApiResponse({ status: 200, description: 'The recording: stereo, the customer on the left', content }),
    ApiResponse({ status: 206, description: 'The part that was asked for', content }),
    ApiMessageErrors(416),
  );
}

/** The same of a route that a link leads to, which needs no other token. */
export function ApiLinkedRecording(): MethodDecorator {
  return applyDecorators(
    ApiQuery({
      name: 'expires',
      required: true,
      description: 'When the link expires, in seconds since 1970',
      schema: { type: 'string' },
      example: '1769968800',
    }),
    ApiQuery({
      name: 'signature',
      required: true,
      description: 'As in the link',
      schema: { type: 'string' },
      example: '3yXb0m1s0hT0bq4pX4l9mZc8p2Q7d1k6w5v4u3t2s1A',
    }),
    ApiRecording(),
  );
}

/**
 * Answers with a recording, or with the one part that was asked for. Of several parts at once all is sent, as RFC 9110
 * allows.
 *
 * @throws NoSuchPartError
 */
export async function recordingReply(
  recording: Recording,
  request: Request,
  response: Response,
): Promise<StreamableFile | undefined> {
  const { callId, bytes } = recording;
  const etag = `"${createHash('sha256').update(recording.version).digest('base64url').slice(0, 22)}"`;
  const range = rangeOf(request, etag, bytes, response);
  // Before any header: what goes wrong here is answered as JSON.
  const content = request.method === 'HEAD' ? undefined : await recording.open(range ?? undefined);
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  response.status(range ? 206 : 200).set({
    'Accept-Ranges': 'bytes',
    // A recording is of people, and can be deleted.
    'Cache-Control': 'private, no-store',
    'Content-Type': CONTENT_TYPE,
    'Content-Length': String(end - start + 1),
    'Content-Disposition': `inline; filename="call-${callId}.ogg"`,
    ETag: etag,
    ...(range ? { 'Content-Range': `bytes ${start}-${end}/${bytes}` } : {}),
  });
  return content && new StreamableFile(content);
}

/** The part to send; null for all of it. */
function rangeOf(request: Request, etag: string, bytes: number, response: Response): ByteRange | null {
  const condition = request.get('if-range');
  if (condition !== undefined && condition !== etag) return null;
  const ranges = request.range(bytes, { combine: true });
  if (ranges === -1) {
    response.set('Content-Range', `bytes */${bytes}`);
    throw new NoSuchPartError();
  }
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0] ?? null;
}
