/** `refused`: the server is there and says no; the others are troubles of the server or on the way to it. */
export const MCP_ERROR_CODES = ['unreachable', 'timeout', 'protocol', 'refused', 'aborted'] as const;
export type McpErrorCode = (typeof MCP_ERROR_CODES)[number];

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
