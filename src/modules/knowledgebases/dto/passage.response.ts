import { ApiProperty } from '@nestjs/swagger';
import { NullableInteger, NullableText } from '../../../common/http/response-fields.js';
import type { FoundPassage } from '../retrieval/knowledge.service.js';

export class PassageResponse {
  @ApiProperty({
    description: 'The headings above it, in a line of their own, and its content',
    example: 'Entrega\nEntregamos em até dois dias.',
  })
  declare text: string;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    maximum: 1,
    example: 0.98,
    description: '1: the first by words and by meaning. It compares passages of one answer, no others',
  })
  declare score: number;

  @ApiProperty({ type: 'integer', description: 'Which document it is of' })
  declare document_id: number;

  @ApiProperty({ description: 'Name of the document', example: 'entrega.pdf' })
  declare source: string;

  @ApiProperty({
    description: 'Title and headings above it, outermost first, joined by ` › `',
    example: 'Entrega',
  })
  declare heading: string;

  @NullableText({ description: 'Address of the page, for websites' })
  declare url: string | null;

  @NullableInteger({ description: 'Page of a PDF on which it begins' })
  declare page: number | null;

  @ApiProperty({ type: 'integer', description: 'Size of the text (about)' })
  declare tokens: number;
}

export function toPassageResponse(passage: FoundPassage): PassageResponse {
  const { text, score, documentId, source, heading, url, page, tokens } = passage;
  const rounded = Math.round(score * 10_000) / 10_000;
  return { text, score: rounded, document_id: documentId, source, heading, url, page, tokens };
}
