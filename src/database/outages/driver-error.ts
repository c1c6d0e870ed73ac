import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

/** What the driver says: a prepared statement's error comes from it, all others through the ORM. */
export function driverErrorOf(error: unknown): { code?: unknown; constraint?: unknown } {
  if (error instanceof QueryFailedError) return error.driverError;
  return error instanceof DatabaseError ? error : {};
}

/** The condition of PostgreSQL; empty when the error is none of the database's. */
export function codeOf(error: unknown): string {
  const { code } = driverErrorOf(error);
  return typeof code === 'string' ? code : '';
}
