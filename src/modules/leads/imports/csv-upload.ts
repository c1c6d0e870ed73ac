import { Readable } from 'node:stream';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import busboy from 'busboy';
import type { Request } from 'express';
import { storableText } from '../../../common/text/storable-text.js';
import {
  LeadFileAbortedError,
  LeadFileFormError,
  LeadFileMediaError,
  LeadFileTooLargeError,
} from '../leads.errors.js';

/** Read as a stream, so this protects time and table, not memory. */
export const MAX_FILE_BYTES = 50 * 1_048_576;
const MULTIPART_OVERHEAD_BYTES = 65_536;
const MAX_NAME_LENGTH = 255;

/** A CSV file in the body of a request, as it is or as the first file of a multipart form; not read yet. */
export class CsvUpload {
  /** Private to the language: pipes walk what decorators inject. */
  readonly #request: Request;

  constructor(request: Request) {
    this.#request = request;
  }

  /**
   * Finds the file in the request.
   *
   * @returns null for a form without a file
   * @throws LeadFileMediaError | LeadFileTooLargeError | LeadFileFormError
   */
  async open(): Promise<CsvSource | null> {
    const request = this.#request;
    const type = (request.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
    const encoding = request.get('content-encoding') ?? 'identity';
    if (encoding !== 'identity') throw new LeadFileMediaError();
    if (Number(request.get('content-length') ?? 0) > MAX_FILE_BYTES + MULTIPART_OVERHEAD_BYTES) {
      throw new LeadFileTooLargeError(MAX_FILE_BYTES);
    }
    if (type === 'text/csv') return new CsvSource(request, null, () => drain(request));
    if (type === 'multipart/form-data') return openForm(request);
    throw new LeadFileMediaError();
  }
}

/** The bytes of a file as they arrive. */
export class CsvSource {
  /** To be read once. @throws LeadFileTooLargeError | LeadFileAbortedError */
  readonly chunks: AsyncGenerator<Uint8Array>;

  constructor(
    stream: Readable,
    readonly fileName: string | null,
    private readonly letGo: () => void,
  ) {
    this.chunks = readBounded(stream);
  }

  /** Gives the request back; what was not read is not wanted any more. */
  async release(): Promise<void> {
    await this.chunks.return(undefined);
    this.letGo();
  }
}

async function* readBounded(stream: Readable): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Buffer).length;
      if (bytes > MAX_FILE_BYTES) throw new LeadFileTooLargeError(MAX_FILE_BYTES);
      yield chunk as Buffer;
    }
  } catch (error) {
    throw error instanceof LeadFileTooLargeError ? error : new LeadFileAbortedError({ cause: error });
  }
}

function openForm(request: Request): Promise<CsvSource | null> {
  return new Promise((resolve, reject) => {
    const parser = makeParser(request);
    const release = () => {
      request.unpipe(parser);
      request.off('close', abort);
      drain(request);
    };
    // A form that ends too early must end the file too, or its reader would wait for ever.
    const abort = () => parser.destroy(new Error('the request was closed before the form ended'));
    parser.once('file', (_name, stream, info) => {
      // The reader sees the end of the stream; this keeps an early one from being an unhandled event.
      stream.on('error', () => undefined);
      resolve(new CsvSource(stream, nameOf(info.filename), release));
    });
    parser.once('close', () => {
      release();
      resolve(null);
    });
    // Stays: the parser goes on with what it was already given, and reports each wrong part.
    parser.on('error', (error) => {
      release();
      reject(new LeadFileFormError({ cause: error }));
    });
    request.once('close', abort);
    request.pipe(parser);
  });
}

/** A form may encode its name, and so hold what no table takes. */
function nameOf(fileName: string | undefined): string | null {
  return fileName === undefined ? null : storableText(fileName.slice(0, MAX_NAME_LENGTH));
}

/** Reads the rest of a request for nothing: left unread, it would block the next one on its connection. */
function drain(request: Request): void {
  request.resume();
}

/** @throws LeadFileFormError when the content type names no boundary */
function makeParser(request: Request): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { files: 1, fields: 20, parts: 21 },
    });
  } catch (error) {
    throw new LeadFileFormError({ cause: error });
  }
}

/** Injects the {@link CsvUpload} of the request. */
export const CsvBody = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => new CsvUpload(context.switchToHttp().getRequest<Request>()),
);

export const ApiCsvBody = () =>
  applyDecorators(
    ApiConsumes('multipart/form-data', 'text/csv'),
    ApiBody({
      description:
        'Header row, `phone_number` required, every other column a variable; `secondary_contact_1` to ' +
        '`secondary_contact_10` are numbers to try next, `secondary_contact_1_name` a variable of that contact. ' +
        'UTF-8, delimiter `,` or `;`',
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', format: 'binary' } },
      },
    }),
  );
