import { ObjectField, StringField, UuidField } from '../../../common/http/fields.js';
import type { VisitorCall } from '../web-calls.service.js';
import { solutionOf } from '../../visitors/visitor.js';

export class OpenOwnWebCallRequest {
  @ObjectField({ optional: true, nullable: true, description: 'For the placeholders of the prompt' })
  declare variables?: Record<string, unknown> | null;
}

export class OpenWebCallRequest {
  @UuidField({ description: 'The uuid of the assistant' })
  declare assistant_id: string;

  @ObjectField({
    optional: true,
    nullable: true,
    description:
      'Values for {{placeholders}} of the prompt, at most 4 kB; what the assistant neither declares nor uses is left out',
    example: { name: 'Ana' },
  })
  declare variables?: Record<string, unknown> | null;

  @StringField({
    optional: true,
    max: 1_000,
    description: 'Where the assistant asks visitors for a challenge: its token',
    example: 'v1.2hX9kQ.c2Vh.bGVk.dGFn',
  })
  declare challenge_token?: string;

  @StringField({ optional: true, max: 64, description: 'and its solution', example: '48213' })
  declare challenge_solution?: string;
}

export function toVisitorCall(body: OpenWebCallRequest): VisitorCall {
  return {
    assistantUuid: body.assistant_id,
    variables: body.variables ?? {},
    solution: solutionOf(body.challenge_token, body.challenge_solution),
  };
}
