/** `refused`: the server is there and says no; the others are troubles of the server or on the way to it. */
export type McpErrorCode = 'unreachable' | 'timeout' | 'protocol' | 'refused' | 'aborted';

/** The only error of {@link McpClient}. The message is plain English, names no address, and may be shown to a model. */
export class McpError extends Error {
  override readonly name = 'McpError';

  constructor(
    readonly code: McpErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
