import type { MetricsService } from '../../common/observability/metrics.service.js';
import { inSpan } from '../../common/observability/tracing.js';
import type { RuntimeTool } from './tool.js';

/** Names of tools are their owners', and there may be any number of them. */
export type ToolKind = 'built-in' | 'knowledge' | 'http' | 'mcp';

const BUCKETS_SECONDS = [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 60];

/** Measures the tools that assistants use, in chats and on calls. */
export class ToolMeter {
  private readonly took: (labels: { kind: ToolKind; result: 'answer' | 'error' }, seconds: number) => void;

  constructor(metrics: MetricsService) {
    this.took = metrics.histogram(
      {
        name: 'prosa_tool_seconds',
        help: 'How long tools of assistants took, by kind and by what the model read',
        labelNames: ['kind', 'result'],
      },
      BUCKETS_SECONDS,
    );
  }

  measured(kind: ToolKind, tool: RuntimeTool): RuntimeTool {
    return {
      definition: tool.definition,
      run: async (args, context) => {
        const startedAt = performance.now();
        const took = (isError: boolean) =>
          this.took({ kind, result: isError ? 'error' : 'answer' }, (performance.now() - startedAt) / 1_000);
        try {
          const outcome = await inSpan('tool', { 'prosa.tool.kind': kind }, () => tool.run(args, context));
          took('error' in outcome.result);
          return outcome;
        } catch (error) {
          took(true);
          throw error;
        }
      },
    };
  }
}
