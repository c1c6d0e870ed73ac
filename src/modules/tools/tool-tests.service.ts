import { Injectable } from '@nestjs/common';
import { EgressClient } from '../../common/egress/egress-client.js';
import { ConcurrentUse } from '../../common/limits/concurrent-use.js';
import { callHttpTool, type HttpToolCall } from '../../runtime/tools/http-tool.js';
import type { TestToolRequest } from './dto/tool-test.request.js';
import { toHttpTool } from './to-http-tool.js';
import { TooManyToolTestsError } from './tools.errors.js';
import { ToolsService } from './tools.service.js';

/** Of one account in one process: each may hold a connection for half a minute. */
const MAX_AT_ONCE = 3;

/** Calls a tool once, as an assistant would, for its owner to see. */
@Injectable()
export class ToolTestsService {
  private readonly running = new ConcurrentUse();

  constructor(
    private readonly tools: ToolsService,
    private readonly egress: EgressClient,
  ) {}

  /** @throws ToolNotFoundError | TooManyToolTestsError */
  async run(userId: number, id: number, request: TestToolRequest): Promise<HttpToolCall> {
    const tool = toHttpTool(await this.tools.get(userId, id));
    const leave = this.running.tryEnter(new Map([[String(userId), MAX_AT_ONCE]]));
    if (!leave) throw new TooManyToolTestsError();
    try {
      // Only the time limit of the tool ends it.
      const { signal } = new AbortController();
      const context = { variables: request.variables ?? {}, signal };
      return await callHttpTool(tool, request.arguments ?? {}, context, this.egress);
    } finally {
      leave();
    }
  }
}
