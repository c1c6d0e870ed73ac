import { DomainError, domainError, limitError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

export class McpServerNotFoundError extends domainError('not-found', 'mcp_servers.not_found') {}

export class McpToolNotFoundError extends domainError('not-found', 'mcp_servers.tool_not_found') {}

export class McpServerLimitError extends limitError('limit', 'mcp_servers.limit') {}

/** What the owner has looked at is not what the server offers now. */
export class McpToolChangedError extends domainError('conflict', 'mcp_servers.tool_changed') {}

/** The server could not be asked for its tools; the reason is plain English, as models read it. */
export class McpServerFailedError extends DomainError {
  readonly kind = 'refused';

  constructor(reason: string) {
    super(text('mcp_servers.refresh_failed', { reason }));
  }
}
