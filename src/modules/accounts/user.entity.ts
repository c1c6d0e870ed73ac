import { Check, Column, CreateDateColumn, Entity, Index, UpdateDateColumn } from 'typeorm';
import { IdColumn } from '../../database/columns.js';

/** An account. The database keeps `email` in lower case and unique. */
@Entity('users')
@Check('users_email_lower', 'email = lower(email)')
@Index('users_email_key', ['email'], { unique: true })
export class User {
  @IdColumn('users_pkey')
  declare id: number;

  @Column({ type: 'integer' })
  declare planId: number;

  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'text' })
  declare email: string;

  /** Null for an account that can use keys only. */
  @Column({ type: 'text', nullable: true })
  declare passwordHash: string | null;

  @Column({ type: 'text', default: 'America/Sao_Paulo' })
  declare timezone: string;

  /** Phone numbers without a country code are read as numbers of this country. */
  @Column({ type: 'text', default: 'BR' })
  declare defaultCountry: string;

  /** Whether people of the account may make links to calls for others. */
  @Column({ type: 'boolean', default: false })
  declare isCallSharingOn: boolean;

  /** False for an account of a first start until all that belongs to it is made, and its key was shown. */
  @Column({ type: 'boolean', default: true })
  declare isSetUp: boolean;

  @CreateDateColumn({ type: 'timestamptz' })
  declare createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  declare updatedAt: Date;
}
