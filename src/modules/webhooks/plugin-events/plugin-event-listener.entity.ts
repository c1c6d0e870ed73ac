import { Entity, PrimaryColumn } from 'typeorm';

/** A kind of event that a plugin of this installation listens to. Each start of a process replaces the rows. */
@Entity('plugin_event_listeners')
export class PluginEventListener {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'plugin_event_listeners_pkey' })
  declare plugin: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'plugin_event_listeners_pkey' })
  declare kind: string;
}
