import type { ServerResponse } from 'node:http';
import { LocalServer, type ReceivedRequest } from './http-server.js';

interface RpcRequest {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface McpBehaviour {
  /** The list of tools by cursor. */
  list?: (cursor: string | undefined) => { readonly tools: unknown; readonly nextCursor?: string };
  /** Answers a call of a tool; what it does not end, stays open. */
  call?: (rpc: RpcRequest, response: ServerResponse) => void;
  /** Instead of all else. */
  any?: (request: ReceivedRequest, response: ServerResponse) => void;
}

/** An MCP server over streamable HTTP that behaves as a test says, and can change its mind. */
export class McpTestServer {
  readonly calls: RpcRequest[] = [];
  behaviour: McpBehaviour = {};

  private constructor(private readonly http: LocalServer) {}

  static async start(): Promise<McpTestServer> {
    let server: McpTestServer | undefined;
    const http = await LocalServer.start((request, response) => server?.answer(request, response));
    server = new McpTestServer(http);
    return server;
  }

  get url(): string {
    return `${this.http.url}/mcp`;
  }

  get requests(): readonly ReceivedRequest[] {
    return this.http.requests;
  }

  stop(): Promise<void> {
    return this.http.stop();
  }

  private answer(request: ReceivedRequest, response: ServerResponse): void {
    if (this.behaviour.any) return this.behaviour.any(request, response);
    const rpc = JSON.parse(request.body) as RpcRequest;
    switch (rpc.method) {
      case 'initialize': {
        const { protocolVersion } = rpc.params ?? {};
        const serverInfo = { name: 'test', version: '1' };
        return reply(response, rpc, { protocolVersion, serverInfo, capabilities: { tools: {} } });
      }
      case 'tools/list':
        return reply(response, rpc, this.behaviour.list?.(rpc.params?.cursor as string) ?? { tools: [] });
      case 'tools/call':
        this.calls.push(rpc);
        return this.behaviour.call
          ? this.behaviour.call(rpc, response)
          : reply(response, rpc, { content: [{ type: 'text', text: 'pronto' }] });
      case undefined:
      default:
        response.writeHead(202).end();
    }
  }
}

export function reply(response: ServerResponse, { id }: RpcRequest, result: object): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

/** A tool that takes a text. */
export function mcpToolNamed(name: string, overrides: object = {}): object {
  return {
    name,
    description: `Registra um texto em ${name}`,
    inputSchema: { type: 'object', properties: { texto: { type: 'string' } }, required: ['texto'] },
    ...overrides,
  };
}
