import { errorOutcome, objectOutcome, refusedArguments, type RuntimeTool } from '../tools/tool.js';
import type { HandoffTarget } from '../tools/handoff-target.js';
import { fillSpoken } from '../spoken-text.js';

export const HANDOFF_TOOL = 'handoff_to_assistant';

/** The function by which a model hands the customer over; none for an assistant without targets. */
export function handoffTools(targets: readonly HandoffTarget[]): RuntimeTool[] {
  if (targets.length === 0) return [];
  const named = new Map(targets.map((target) => [nameAmong(targets, target), target]));
  return [
    {
      definition: {
        name: HANDOFF_TOOL,
        description: [
          'Hands the customer over to another assistant, who goes on in your place. Who there is, and for what:',
          ...[...named].map(([name, { description }]) => `- ${name}: ${description}`),
        ].join('\n'),
        parameters: {
          type: 'object',
          properties: {
            assistant: { type: 'string', enum: [...named.keys()], description: 'Who takes over' },
          },
          required: ['assistant'],
          additionalProperties: false,
        },
      },
      run: async ({ assistant }, { handOver, variables, spokenVariables = variables }) => {
        const target = typeof assistant === 'string' ? named.get(assistant) : undefined;
        if (!target) return refusedArguments(`The assistant is one of: ${[...named.keys()].join(', ')}.`);
        if (!handOver) return errorOutcome('No assistant can take over here.');
        const message = fillSpoken(target.message, spokenVariables);
        const taken = await handOver({ ...target, message });
        if ('refused' in taken) return errorOutcome(taken.refused);
        const { id, name } = taken;
        const greeting = target.greets ? taken.greeting : '';
        return {
          // The assistant that has taken over is the first to read it.
          ...objectOutcome({
            handed_over_to: name,
            ...(message === '' ? {} : { said_to_the_customer: message }),
            next: `You are ${name} now. ${greetingRule(greeting)}`,
          }),
          result: { handed_over: true, assistant_id: id, assistant_name: name },
        };
      },
    },
  ];
}

function greetingRule(greeting: string): string {
  if (greeting === '') return 'Go on with what the customer wants, and do not greet again.';
  return `Begin with this greeting: ${JSON.stringify(greeting)} Then go on with what the customer wants.`;
}

/** Two of one name differ by their numbers. */
function nameAmong(targets: readonly HandoffTarget[], { assistantId, name }: HandoffTarget): string {
  const isShared = targets.some((other) => other.name === name && other.assistantId !== assistantId);
  return isShared ? `${name} (${assistantId})` : name;
}
