import { Readable } from 'node:stream';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import busboy from 'busboy';
import type { Request } from 'express';
import { storableText } from '#src/common/text/storable-text.js';
import {
  LeadFileAbortedError,
  LeadFileFormError,
  LeadFileMediaError,
  LeadFileTooLargeError,
} from '../../leads.errors.js';

/** Read as a stream, so this protects time and table, not memory. */
export const MAX_FILE_BYTES = 50 * 1_048_576;
const MULTIPART_OVERHEAD_BYTES = 65_536;
const MAX_NAME_LENGTH = 255;
/** Names of 200 columns. */
const MAX_FIELD_BYTES = 65_536;
const FILE_TYPES: ReadonlySet<string> = new Set([
  'text/csv',
  'text/tab-separated-values',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]);

/** A table in the body of a request, as it is or as the first file of a multipart form; not read yet. */
export class LeadUpload {
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
  async open(): Promise<UploadedFile | null> {
    const request = this.#request;
    const type = (request.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
    const encoding = request.get('content-encoding') ?? 'identity';
    if (encoding !== 'identity') throw new LeadFileMediaError();
    if (Number(request.get('content-length') ?? 0) > MAX_FILE_BYTES + MULTIPART_OVERHEAD_BYTES) {
      throw new LeadFileTooLargeError(MAX_FILE_BYTES);
    }
    if (FILE_TYPES.has(type ?? '')) return new UploadedFile(request, null, {}, () => drain(request));
    if (type === 'multipart/form-data') return openForm(request);
    throw new LeadFileMediaError();
  }
}

/** The bytes of a file as they arrive. */
export class UploadedFile {
  /** To be read once. @throws LeadFileTooLargeError | LeadFileAbortedError */
  readonly chunks: AsyncGenerator<Uint8Array>;

  constructor(
    stream: Readable,
    readonly fileName: string | null,
    /** Fields that the form has before the file. */
    readonly fields: Readonly<Record<string, string>>,
    private readonly releaseRequest: () => void,
  ) {
    this.chunks = readBounded(stream);
  }

  /** Gives the request back; what was not read is not wanted any more. */
  async release(): Promise<void> {
    await this.chunks.return(undefined);
    this.releaseRequest();
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

function openForm(request: Request): Promise<UploadedFile | null> {
  return new Promise((resolve, reject) => {
    const parser = makeParser(request);
    const release = () => {
      request.unpipe(parser);
      request.off('close', abort);
      drain(request);
    };
    // A form that ends too early must end the file too, or its reader would wait for ever.
    const abort = () => parser.destroy(new Error('the request was closed before the form ended'));
    const fields: Record<string, string> = Object.create(null) as Record<string, string>;
    parser.on('field', (name, value, { valueTruncated }) => {
      if (!valueTruncated) fields[name] = value;
    });
    parser.once('file', (_name, stream, info) => {
      // The reader sees the end of the stream; this keeps an early one from being an unhandled event.
      stream.on('error', () => undefined);
      resolve(new UploadedFile(stream, nameOf(info.filename), { ...fields }, release));
    });
    parser.once('close', () => {
      release();
      resolve(null);
    });
    // Stays: the parser still processes what it was given, and reports each wrong part.
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
      limits: { files: 1, fields: 20, parts: 21, fieldSize: MAX_FIELD_BYTES },
    });
  } catch (error) {
    throw new LeadFileFormError({ cause: error });
  }
}

/** Injects the {@link LeadUpload} of the request. */
export const LeadFileBody = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => new LeadUpload(context.switchToHttp().getRequest<Request>()),
);

export const ApiLeadFile = () =>
  applyDecorators(
    ApiConsumes('multipart/form-data', ...FILE_TYPES),
    ApiBody({
      description:
        'A CSV file, or the first sheet of an XLSX workbook. A row with the names of the columns, `phone_number` ' +
        'required, every other column a variable; `secondary_contact_1` to `secondary_contact_10` are numbers to try ' +
        'next, `secondary_contact_1_name` a variable of that contact. CSV in UTF-8, UTF-16 or Windows-1252, with ' +
        'commas, semicolons, tabs or vertical bars',
      schema: {
        type: 'object',
        required: ['file'],
        properties: {
          columns: {
            type: 'string',
            description:
              'Before the file: a JSON list of names for its columns in their order, in place of those in the file; ' +
              'an empty name leaves a column out',
            example: '["phone_number","nome",""]',
          },
          file: { type: 'string', format: 'binary' },
        },
      },
    }),
  );
