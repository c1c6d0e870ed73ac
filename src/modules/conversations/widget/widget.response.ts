import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../../common/http/response-fields.js';
import { WIDGET_POSITIONS } from '../../assistants/settings/assistant-config.js';
import type { Widget } from './widget.service.js';

export class WidgetResponse {
  @ApiProperty({ enum: [true], description: 'State' })
  declare status: true;

  @ApiProperty({ format: 'uuid', description: 'The assistant the widget talks to' })
  declare assistant_id: string;

  @ApiProperty({
    description: 'The heading of the chat: `widget_title`, or the name of the assistant',
    example: 'Padaria Central',
  })
  declare title: string;

  @ApiProperty({
    description: 'The first words, as they are without variables of the conversation',
    example: 'Olá! Como posso ajudar?',
  })
  declare greeting: string;

  @ApiProperty({ example: 'pt', description: 'Two-letter code of the language of the assistant' })
  declare language: string;

  @NullableText({ example: '#1c7ed6', description: 'Colour of the widget, as a CSS hex value' })
  declare color: string | null;

  @ApiProperty({ enum: WIDGET_POSITIONS, description: 'Corner of the page where the widget is' })
  declare position: string;

  @NullableText({ description: 'To be shown before the first message', example: 'Esta conversa é gravada.' })
  declare consent: string | null;

  @ApiProperty({ description: 'Whether opening a conversation needs a solved challenge' })
  declare challenge_required: boolean;

  @ApiProperty({ type: 'integer', description: 'Most characters of a message' })
  declare max_message_length: number;
}

export function toWidgetResponse(widget: Widget): WidgetResponse {
  return {
    status: true,
    assistant_id: widget.assistantUuid,
    title: widget.title,
    greeting: widget.greeting,
    language: widget.language,
    color: widget.color,
    position: widget.position,
    consent: widget.consent,
    challenge_required: widget.challengeRequired,
    max_message_length: widget.maxMessageLength,
  };
}
