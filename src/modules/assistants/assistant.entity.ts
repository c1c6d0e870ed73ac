import { Check, Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithTimestamps } from '../../database/columns.js';
import type { EngineMode } from '../catalog/catalog-schema.js';
import type { AssistantConfig, AssistantStatus, AssistantType } from './settings/assistant-config.js';

/** A configured AI agent. Columns hold what is joined or filtered; `config` holds the rest. */
@Entity('assistants')
@Index('assistants_user_id_idx', ['userId', 'id'])
@Index('assistants_uuid_key', ['uuid'], { unique: true })
@Index('assistants_inbound_phone_number_key', ['phoneNumberId'], {
  unique: true,
  where: "(type = 'inbound'::text)",
})
@Index('assistants_phone_number_id_idx', ['phoneNumberId'])
@Index('assistants_knowledgebase_id_idx', ['knowledgebaseId'])
@Index('assistants_folder_id_idx', ['folderId'])
@Check('assistants_type_known', "type IN ('inbound', 'outbound')")
@Check('assistants_mode_known', "mode IN ('pipeline', 'multimodal', 'dualplex')")
@Check('assistants_status_known', "status IN ('inactive', 'active')")
export class Assistant extends OwnedRowWithTimestamps {
  @IdColumn('assistants_pkey')
  declare id: number;

  /** By which conversations name the assistant; it cannot be guessed. */
  @Column({ type: 'uuid' })
  declare uuid: string;

  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'text' })
  declare type: AssistantType;

  @Column({ type: 'text' })
  declare mode: EngineMode;

  @Column({ type: 'text', default: 'inactive' })
  declare status: AssistantStatus;

  /** Whether its first use makes it active; false once its owner has deactivated it. A trigger notes the decision. */
  @Column({ type: 'boolean', default: true })
  declare activatesByUse: boolean;

  @Column({ type: 'integer' })
  declare languageId: number;

  @Column({ type: 'integer' })
  declare voiceId: number;

  @Column({ type: 'integer', nullable: true })
  declare llmModelId: number | null;

  @Column({ type: 'integer', nullable: true })
  declare multimodalModelId: number | null;

  @Column({ type: 'integer', nullable: true })
  declare knowledgebaseId: number | null;

  @Column({ type: 'integer', nullable: true })
  declare phoneNumberId: number | null;

  @Column({ type: 'integer', nullable: true })
  declare folderId: number | null;

  /** In the order they were given. A label that is deleted is taken out. */
  @Column({ type: 'integer', array: true, default: [] })
  declare labelIds: number[];

  /** Raised with each change; a compiled assistant is good for one revision. */
  @Column({ type: 'integer', default: 1 })
  declare revision: number;

  @Column({ type: 'jsonb' })
  declare config: AssistantConfig;

  /** JSON of the calendar keys, sealed, in the order of the calendar tools in `config`; null when there are none. */
  @Column({ type: 'text', nullable: true })
  declare sealedCalendarKeys: string | null;

  /** Since when strangers cannot reach it any more: its account is being deleted. */
  @Column({ type: 'timestamptz', nullable: true })
  declare closedAt: Date | null;
}
