import {
  BooleanField,
  EnumField,
  IntegerField,
  NestedField,
  NumberField,
  StringField,
} from '../../../common/http/fields.js';
import {
  AMBIENT_SOUNDS,
  type AssistantConfig,
  ENDPOINT_TYPES,
  type MonitoringAnnouncement,
} from '../settings/assistant-config.js';
import { OPTIONAL, withDefault } from './optional-setting.js';

export class MonitoringAnnouncementRequest implements MonitoringAnnouncement {
  @StringField({
    max: 500,
    description:
      'What the customer hears before the first person hears the call; may contain `{{variables}}`',
    example: 'Para sua segurança, nossa equipe pode acompanhar esta ligação.',
  })
  declare text: string;

  @BooleanField({ description: 'Whether a short tone repeats every 15 seconds as long as a person listens' })
  declare tone: boolean;
}

/** How calls go: their limits, silence, voicemail, interruptions and ambient sound. */
export class AssistantCallsRequest {
  @IntegerField({ ...withDefault('max_duration'), min: 20, max: 1200, description: 'Seconds' })
  declare max_duration?: number | null;

  @IntegerField({ ...withDefault('max_silence_duration'), min: 1, max: 360, description: 'Seconds' })
  declare max_silence_duration?: number | null;

  @IntegerField({ ...OPTIONAL, min: 1, max: 120, description: 'Seconds' })
  declare max_initial_silence_duration?: number | null;

  @IntegerField({ ...withDefault('ringing_time'), min: 1, max: 60, description: 'Seconds' })
  declare ringing_time?: number | null;

  @IntegerField({ ...withDefault('reengagement_interval'), min: 7, max: 600, description: 'Seconds' })
  declare reengagement_interval?: number | null;

  @StringField({
    ...OPTIONAL,
    max: 1000,
    description: 'Instruction for the assistant after `reengagement_interval` seconds of silence',
    example: 'Pergunte se o cliente ainda está na linha.',
  })
  declare reengagement_prompt?: string | null;

  @BooleanField({
    ...withDefault('end_call_on_voicemail'),
    description: 'Whether a call to a voicemail is ended at once',
  })
  declare end_call_on_voicemail?: boolean | null;

  @StringField({
    ...OPTIONAL,
    max: 1000,
    description: 'What is said to a voicemail before the call ends',
    example: 'Ligaremos de novo mais tarde.',
  })
  declare voice_mail_message?: string | null;

  @NestedField(() => MonitoringAnnouncementRequest, {
    ...OPTIONAL,
    description: 'Tells the customer that people listen to the call; null: nothing is said',
  })
  declare monitoring_announcement?: MonitoringAnnouncementRequest | null;

  @EnumField(ENDPOINT_TYPES, {
    ...withDefault('endpoint_type'),
    description: 'How the end of what the customer says is found: `vad` by silence, `ai` by its meaning',
  })
  declare endpoint_type?: AssistantConfig['endpoint_type'] | null;

  @NumberField({
    ...withDefault('endpoint_sensitivity'),
    min: 0,
    max: 5,
    description: 'How soon the assistant takes a pause for the end of what the customer says',
  })
  declare endpoint_sensitivity?: number | null;

  @NumberField({
    ...withDefault('interrupt_sensitivity'),
    min: 0,
    max: 5,
    description: 'How soon the assistant stops when the customer speaks',
  })
  declare interrupt_sensitivity?: number | null;

  @IntegerField({
    ...OPTIONAL,
    min: 0,
    max: 10,
    description: 'Words the customer must say to interrupt; setting it switches the feature on',
  })
  declare min_interrupt_words?: number | null;

  @BooleanField({
    ...withDefault('ignore_backchannels'),
    description:
      'Whether signs of listening ("uhum", "yeah") while it speaks neither interrupt it nor are answered; no effect in multimodal and dualplex',
  })
  declare ignore_backchannels?: boolean | null;

  @EnumField(AMBIENT_SOUNDS, {
    ...withDefault('ambient_sound'),
    description: 'What is heard behind the voice of the assistant',
  })
  declare ambient_sound?: AssistantConfig['ambient_sound'] | null;

  @NumberField({
    ...withDefault('ambient_sound_volume'),
    min: 0,
    max: 1,
    description: 'Volume of the ambient sound',
  })
  declare ambient_sound_volume?: number | null;
}
