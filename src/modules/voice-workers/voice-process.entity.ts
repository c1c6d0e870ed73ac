import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A process with the voice role, as long as it lives. */
@Entity('voice_processes')
@Check('voice_processes_capacity_positive', 'capacity > 0')
export class VoiceProcess {
  @PrimaryColumn({ type: 'uuid' })
  declare id: string;

  /** Where other processes of the installation reach it, as `host:port`. */
  @Column({ type: 'text' })
  declare address: string;

  /** Calls it takes at once. */
  @Column({ type: 'integer' })
  declare capacity: number;

  /** The share of the time in which its event loop was busy, from 0 to 1. */
  @Column({ type: 'real' })
  declare load: number;

  /** Names of the carriers whose lines it has: of some, one process has them all. */
  @Column({ type: 'text', array: true })
  declare carriers: string[];

  /** It takes no more calls, and ends when the running ones have. */
  @Column({ type: 'boolean', default: false })
  declare draining: boolean;

  /** It has begun to load, and takes no calls yet. */
  @Column({ type: 'boolean', default: false })
  declare starting: boolean;

  /** It says every few seconds that it lives. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  declare heartbeatAt: Date;
}
