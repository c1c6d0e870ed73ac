import type { HttpTool } from '../../runtime/tools/http-tool.js';
import type { ToolDetails } from './tools.service.js';

/** A tool as the runtime calls it. */
export function toHttpTool(tool: ToolDetails): HttpTool {
  const { name, description, endpoint, method, bodyFormat, headers, staticFields, timeoutSeconds, schema } =
    tool;
  return {
    name,
    description,
    endpoint,
    method,
    bodyFormat,
    headers,
    staticFields,
    timeoutMs: timeoutSeconds * 1_000,
    parameters: schema,
  };
}
