import { ObjectField } from '../../../common/http/fields.js';

export class TestToolRequest {
  @ObjectField({
    optional: true,
    nullable: true,
    description: 'Values of the parameters, as an assistant would give them',
    example: { city: 'Recife' },
  })
  declare arguments?: Record<string, unknown> | null;

  @ObjectField({
    optional: true,
    nullable: true,
    description: 'Values for {{placeholders}} of address, headers and static fields',
    example: { customer_phone: '+5511987654321' },
  })
  declare variables?: Record<string, unknown> | null;
}
