import { Injectable } from '@nestjs/common';
import type { FiguresRequest } from '../../../common/figures/figures-request.js';
import {
  ConversationFiguresRepository,
  type ConversationFiguresRow,
} from './conversation-figures.repository.js';

/** Conversations of a group, or of all. */
export type ConversationFigures = Omit<ConversationFiguresRow, 'group'>;

export interface GroupedConversationFigures {
  readonly all: ConversationFigures;
  /** Of groups with conversations. */
  readonly groups: ReadonlyMap<number, ConversationFigures>;
}

export const NO_CONVERSATIONS: ConversationFigures = {
  count: 0,
  tests: 0,
  ended: 0,
  withPerson: 0,
  messages: 0,
  costMicros: 0,
};

/** How many conversations an account had, how they stand, and what they cost. */
@Injectable()
export class ConversationFiguresService {
  constructor(private readonly figures: ConversationFiguresRepository) {}

  async of(request: FiguresRequest): Promise<GroupedConversationFigures> {
    const rows = await this.figures.counts(request);
    return {
      all: rows.reduce<ConversationFigures>(
        (sum, row) => ({
          count: sum.count + row.count,
          tests: sum.tests + row.tests,
          ended: sum.ended + row.ended,
          withPerson: sum.withPerson + row.withPerson,
          messages: sum.messages + row.messages,
          costMicros: sum.costMicros + row.costMicros,
        }),
        NO_CONVERSATIONS,
      ),
      groups: new Map(rows.map(({ group, ...figures }) => [group, figures])),
    };
  }
}
