import { Injectable } from '@nestjs/common';
import type { FiguresRequest } from '../../../common/figures/figures-request.js';
import {
  NO_TOKEN_FIGURES,
  type TokenFigures,
  tokenFiguresOf,
  type TokensRow,
} from '../../../common/figures/token-figures.js';
import {
  ConversationFiguresRepository,
  type ConversationFiguresRow,
} from './conversation-figures.repository.js';

/** Conversations of a group, or of all. */
export interface ConversationFigures extends Omit<ConversationFiguresRow, 'group' | keyof TokensRow> {
  readonly tokens: TokenFigures;
}

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
  tokens: NO_TOKEN_FIGURES,
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
          ...sum,
          count: sum.count + row.count,
          tests: sum.tests + row.tests,
          ended: sum.ended + row.ended,
          withPerson: sum.withPerson + row.withPerson,
          messages: sum.messages + row.messages,
          costMicros: sum.costMicros + row.costMicros,
        }),
        { ...NO_CONVERSATIONS, tokens: tokenFiguresOf(rows) },
      ),
      groups: new Map(rows.map((row) => [row.group, figuresOf(row)])),
    };
  }
}

function figuresOf({
  count,
  tests,
  ended,
  withPerson,
  messages,
  costMicros,
  ...row
}: ConversationFiguresRow) {
  return { count, tests, ended, withPerson, messages, costMicros, tokens: tokenFiguresOf([row]) };
}
