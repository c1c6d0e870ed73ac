import type { Database } from '../../src/database/database.js';
import { toUnitVector } from '../../src/providers/embeddings/unit-vector.js';
import { searchableText } from '../../src/modules/knowledgebases/retrieval/searchable-text.js';

export interface SeedChunk {
  readonly content: string;
  readonly heading?: string;
  readonly language?: string;
  readonly embedding?: readonly number[];
}

export interface SeededBase {
  readonly userId: number;
  readonly knowledgebaseId: number;
  readonly documentId: number;
}

const BATCH = 500;

/** A base with one active document of the chunks, written as an ingestion leaves it. Chunk n has the position n. */
export async function seedBase(
  database: Pick<Database, 'query'>,
  chunks: readonly SeedChunk[],
  embeddingSpace: string | null = null,
): Promise<SeededBase> {
  const one = async (sql: string, parameters: unknown[]) => {
    const [row] = await database.query<{ id: number }>(sql, parameters);
    if (!row) throw new Error('the row was not written');
    return row.id;
  };
  const email = `seed-${Math.random().toString(36).slice(2)}@example.com`;
  const userId = await one(
    "INSERT INTO users (plan_id, name, email) SELECT min(id), 'Seed', $1 FROM plans RETURNING id",
    [email],
  );
  const knowledgebaseId = await one(
    "INSERT INTO knowledgebases (user_id, name, status) VALUES ($1, 'Seed', 'active') RETURNING id",
    [userId],
  );
  const languages = [...new Set(chunks.map(({ language = 'simple' }) => language))];
  const documentId = await one(
    `INSERT INTO documents (user_id, knowledgebase_id, name, type, status, chunks_count, languages, embedding_space)
     VALUES ($1, $2, 'Seed', 'txt', 'active', $3, $4, $5) RETURNING id`,
    [userId, knowledgebaseId, chunks.length, languages, embeddingSpace],
  );
  const sourceId = await one(
    `INSERT INTO document_sources (user_id, document_id, version, position, file_key, is_given, state)
     VALUES ($1, $2, 1, 0, 'seed', true, 'done') RETURNING id`,
    [userId, documentId],
  );
  for (let start = 0; start < chunks.length; start += BATCH) {
    const batch = chunks.slice(start, start + BATCH);
    await database.query(
      `INSERT INTO document_chunks (user_id, knowledgebase_id, document_id, source_id, version, position, heading,
                                    content, tokens, language, search, embedding, embedding_space)
       SELECT $1, $2, $3, $4, 1, $5 + c.n - 1, c.heading, c.content, 100, c.language,
              words_of_knowledgebase($2, setweight(to_tsvector(c.language::regconfig, c.heading_words), 'A') ||
                                         setweight(to_tsvector(c.language::regconfig, c.words), 'B')),
              c.embedding::real[], CASE WHEN c.embedding IS NOT NULL THEN $11::text END
         FROM unnest($6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $12::text[])
              WITH ORDINALITY AS c (heading, content, heading_words, words, language, embedding, n)`,
      [
        userId,
        knowledgebaseId,
        documentId,
        sourceId,
        start,
        batch.map(({ heading = '' }) => heading),
        batch.map(({ content }) => content),
        batch.map(({ heading = '' }) => searchableText(heading)),
        batch.map(({ content }) => searchableText(content)),
        batch.map(({ language = 'simple' }) => language),
        embeddingSpace,
        batch.map(({ embedding }) => (embedding ? `{${embedding.join(',')}}` : null)),
      ],
    );
  }
  await database.query('ANALYZE document_chunks');
  return { userId, knowledgebaseId, documentId };
}

/** Numbers that look random and are the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Unit vectors in clusters, as the vectors of texts are. */
export function clusteredVectors(count: number, dimensions: number, seed: number): number[][] {
  const random = seededRandom(seed);
  const noise = () => random() + random() + random() - 1.5;
  const centres = Array.from({ length: Math.ceil(count / 50) }, () =>
    Array.from({ length: dimensions }, noise),
  );
  return Array.from({ length: count }, () => {
    const centre = centres[Math.floor(random() * centres.length)] ?? [];
    return toUnitVector(
      centre.map((value) => value + noise() * 0.6),
      dimensions,
    );
  });
}
