import { ApiProperty } from '@nestjs/swagger';
import { NumberedResponse } from '../../../common/http/response-fields.js';
import type { SavedReply } from '../saved-reply.entity.js';

export class SavedReplyResponse extends NumberedResponse {
  @ApiProperty({ example: 'horario', description: 'By which people find it, in lowercase' })
  declare shortcut: string;

  @ApiProperty({
    example: 'Olá, {{name}}! Atendemos de segunda a sexta, das 9h às 18h.',
    description: 'The reply; {{name}} is replaced by a variable of the conversation',
  })
  declare text: string;
}

export class SavedRepliesResponse {
  @ApiProperty({ type: [SavedReplyResponse], description: 'All of the account, by their shortcuts' })
  declare data: SavedReplyResponse[];
}

export function toSavedReplyResponse({ id, shortcut, text }: SavedReply): SavedReplyResponse {
  return { id, shortcut, text };
}
