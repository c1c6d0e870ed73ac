import { Injectable } from '@nestjs/common';
import { Database } from '#src/database/database.js';
import type { Tx } from '#src/database/transactions.js';
import type { PasswordRequest } from './password-request.entity.js';

@Injectable()
export class PasswordRequestsRepository {
  constructor(private readonly database: Database) {}

  /** The id of the request of this e-mail: a new one, or the one that waits already. */
  async add({ id, email }: Pick<PasswordRequest, 'id' | 'email'>): Promise<string> {
    const [row] = await this.database.query<{ id: string }>(
      `INSERT INTO password_requests (id, email) VALUES ($1, $2)
       ON CONFLICT (email) DO UPDATE SET email = excluded.email RETURNING id`,
      [id, email],
    );
    return row?.id ?? id;
  }

  find(id: string): Promise<string | null> {
    return this.database.value<string>('SELECT email FROM password_requests WHERE id = $1', [id]);
  }

  /** False when another worker has answered it. */
  delete(id: string, tx?: Tx): Promise<boolean> {
    return this.database.matches('DELETE FROM password_requests WHERE id = $1 RETURNING id', [id], tx);
  }

  /** The oldest of those that wait. */
  waiting(limit: number): Promise<string[]> {
    return this.database.values<string>('SELECT id FROM password_requests ORDER BY created_at LIMIT $1', [
      limit,
    ]);
  }

  /** Deletes those that a person waits for no longer. */
  async removeOld(ageMs: number): Promise<void> {
    await this.database.query(
      `DELETE FROM password_requests WHERE created_at < now() - $1 * interval '1 millisecond'`,
      [ageMs],
    );
  }
}
