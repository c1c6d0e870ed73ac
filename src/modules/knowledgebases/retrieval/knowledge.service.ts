import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { storableText } from '../../../common/text/storable-text.js';
import { Embeddings } from '../../../providers/embeddings/embeddings.js';
import { EmbeddingsError } from '../../../providers/embeddings/embeddings-error.js';
import { AllowancesService } from '../../allowances/allowances.service.js';
import { KnowledgebaseNotFoundError, SearchAllowanceError } from '../knowledgebases.errors.js';
import { KnowledgebasesRepository } from '../knowledgebases.repository.js';
import { type PassageRow, PassagesRepository } from './passages.repository.js';
import { fuseRankings, type RankedId } from './rank-fusion.js';
import type { SearchedBase } from './searched-base.js';
import { VectorSearchService } from './vector-search.service.js';
import { WordSearchService } from './word-search.service.js';

export interface SearchOptions {
  /** Most passages, 5 by default. */
  readonly limit?: number;
  /** Most tokens of all passages together, 1,500 by default. */
  readonly budgetTokens?: number;
  readonly signal?: AbortSignal;
}

/** A passage of a document with its place in it. */
export interface FoundPassage {
  /** The headings above it, in a line of their own, and its content. */
  readonly text: string;
  /** Name of the document. */
  readonly source: string;
  readonly documentId: number;
  /** Title and headings above it, outermost first, joined by ` › `; empty when there are none. */
  readonly heading: string;
  /** Address of the page, for websites. */
  readonly url: string | null;
  /** Page of a PDF on which it begins, 1-based. */
  readonly page: number | null;
  /** Size of `text` (about). */
  readonly tokens: number;
  /** From 1, the first by words and by meaning, down to 0. */
  readonly score: number;
}

const DEFAULT_LIMIT = 5;
const DEFAULT_BUDGET_TOKENS = 1_500;
/** Of each ranking, before they are fused. */
const CANDIDATES = 50;
/** Real questions are shorter; a pasted page would search for all its words. */
const MAX_QUERY_LENGTH = 1_000;
/** A spoken or written answer waits for the search: without the model's answer by then, words alone decide. */
const EMBEDDING_TIMEOUT_MS = 2_000;

/** Finds what a knowledge base says about something. */
@Injectable()
export class KnowledgeService {
  constructor(
    private readonly knowledgebases: KnowledgebasesRepository,
    private readonly passages: PassagesRepository,
    private readonly words: WordSearchService,
    private readonly vectors: VectorSearchService,
    private readonly embeddings: Embeddings,
    private readonly allowances: AllowancesService,
    private readonly logger: Logger,
  ) {}

  /**
   * What {@link search} finds with its defaults, as an assistant does. The account pays nothing for it, so it has a daily
   * allowance.
   *
   * @throws KnowledgebaseNotFoundError | SearchAllowanceError
   */
  async ask(userId: number, knowledgebaseId: number, question: string): Promise<FoundPassage[]> {
    if (!(await this.knowledgebases.find(userId, knowledgebaseId))) throw new KnowledgebaseNotFoundError();
    const refusal = await this.allowances.take(userId, 'knowledgeSearches', 1);
    if (refusal) throw new SearchAllowanceError(refusal.max, refusal.resetsInSeconds);
    return this.search(userId, knowledgebaseId, question);
  }

  /**
   * The passages that answer a question best, best first: those that have its words and those near to its meaning,
   * fused by reciprocal rank. Empty when nothing fits, or the base is not there (any more).
   */
  async search(
    userId: number,
    knowledgebaseId: number,
    query: string,
    options: SearchOptions = {},
  ): Promise<FoundPassage[]> {
    const { limit = DEFAULT_LIMIT, budgetTokens = DEFAULT_BUDGET_TOKENS } = options;
    const question = storableText(query.slice(0, MAX_QUERY_LENGTH)).trim();
    const base = await this.knowledgebases.findSearched(userId, knowledgebaseId);
    if (!base || question === '') return [];
    const rankings = await Promise.all([
      this.words.search(userId, knowledgebaseId, base, question, CANDIDATES),
      this.findByMeaning(userId, knowledgebaseId, base, question, options.signal),
    ]);
    const ranked = fuseRankings(rankings).slice(0, limit * 2);
    const rows = await this.passages.findMany(
      userId,
      ranked.map(({ id }) => id),
    );
    return withinBudget(inOrder(ranked, rows), limit, budgetTokens);
  }

  /** Empty without a model; also when it fails, which must not keep an answer from being given. */
  private async findByMeaning(
    userId: number,
    knowledgebaseId: number,
    base: SearchedBase,
    question: string,
    signal: AbortSignal | undefined,
  ): Promise<string[]> {
    const { space } = this.embeddings;
    if (!space) return [];
    try {
      const [vector = []] = await this.embeddings.embed([question], {
        timeoutMs: EMBEDDING_TIMEOUT_MS,
        signal,
      });
      return await this.vectors.search({ userId, knowledgebaseId, space }, base, vector, CANDIDATES);
    } catch (error) {
      if (!(error instanceof EmbeddingsError)) throw error;
      this.logger.warn('searched by words alone: the embedding model failed', { err: error });
      return [];
    }
  }
}

type RankedRow = PassageRow & RankedId;

function inOrder(ranked: readonly RankedId[], rows: readonly PassageRow[]): RankedRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ranked.flatMap(({ id, score }) => {
    const row = byId.get(id);
    return row ? { ...row, score } : [];
  });
}

/** The best that fit; one that does not makes room for a shorter one after it. */
function withinBudget(rows: readonly RankedRow[], limit: number, budgetTokens: number): FoundPassage[] {
  const found: FoundPassage[] = [];
  let left = budgetTokens;
  for (const row of rows) {
    if (found.length === limit) break;
    if (row.tokens > left) continue;
    left -= row.tokens;
    found.push(toPassage(row));
  }
  return found;
}

function toPassage({
  heading,
  content,
  documentName,
  documentId,
  url,
  page,
  tokens,
  score,
}: RankedRow): FoundPassage {
  const text = heading === '' ? content : `${heading}\n${content}`;
  return { text, source: documentName, documentId, heading, url, page, tokens, score };
}
