/**
 * `prosa/plugin`: all that a plugin may use of Prosa. What is exported here keeps its meaning within a range of versions that
 * a plugin names; nothing else does. docs/how-to/plugins.md shows how it goes together.
 */

// What a plugin is.
export { type ConsolePage, definePlugin, type Plugin } from './plugin.js';
export type { ErrorExample, Feature, FeatureTag } from '../feature.js';
export { prosaVersion } from '../config/prosa-version.js';

// Routes: who calls, what they send, what they are answered.
export { ForAutomate, ForUser, MaybeUser } from '../common/auth/guards.js';
export { NeedsScope } from '../common/auth/needs-scope.js';
export type { Scope } from '../common/auth/scope.js';
export { Caller, MaybeCaller, type Principal } from '../common/auth/principal.js';
export {
  BooleanField,
  EmailField,
  EnumField,
  IdField,
  IntegerField,
  IntegerQuery,
  NumberField,
  ObjectField,
  ObjectsField,
  StringField,
  UuidField,
} from '../common/http/fields.js';
export { DateQuery, TimeZoneField } from '../common/http/fields/time-fields.js';
export { IdsField } from '../common/http/fields/list-fields.js';
export { issueText } from '../common/http/fields/field.js';
export { PhoneField } from '../common/http/fields/phone-fields.js';
export { UrlField } from '../common/http/fields/url-fields.js';
export { countryOf, toE164 } from '../common/phone/e164.js';
export { IdParam, UuidParam } from '../common/http/id-param.js';
export {
  CurrentAddress,
  PageAddress,
  type PageOf,
  PageQuery,
  type PageRequest,
  pageRequestOf,
  type PageResponse,
  toPageResponse,
} from '../common/http/page.js';
export { done, reply } from '../common/http/reply.js';
export {
  ApiData,
  ApiDataList,
  ApiInvalid,
  ApiMessageErrors,
  ApiOk,
  ApiPage,
  ApiReply,
  MessageResponse,
  ValidationErrorResponse,
} from '../common/http/api-docs.js';
export { Idempotent } from '../modules/idempotency/idempotent.js';
export { type Effect, IdempotentEffectService } from '../modules/idempotency/idempotent-effect.service.js';

// Errors and texts.
export { DomainError, type ErrorKind, type FieldIssue } from '../common/errors/domain-error.js';
export { UnavailableError, ValidationFailedError } from '../common/errors/errors.js';
export { say, text } from '../i18n/catalogue.js';
export { defineTexts, type Texts } from '../i18n/define-texts.js';
export type { Language, TextCollection, TextEntry, TextParams, TextRef } from '../i18n/text.js';

// Data.
export { Database, isForeignKeyViolation, isUniqueViolation } from '../database/database.js';
export { bigintAsNumber } from '../database/columns.js';
export { Transactions, type Tx } from '../database/transactions.js';
export {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  type MigrationInterface,
  PrimaryGeneratedColumn,
  type QueryRunner,
  Unique,
  UpdateDateColumn,
} from 'typeorm';

// What is held about people, and the variables of a plugin.
export type {
  ErasedPage,
  PersonalDataSource,
  PersonalRecord,
  RecordPage,
} from '../common/personal-data/personal-data-source.js';
export { jsonWithoutNumber, type Person, withoutNumber } from '../common/personal-data/person.js';
export { defineSettings, type PluginSettings, type SettingsOf } from './plugin-settings.js';

// Events of the product that handlers in `on` get.
export type {
  CallStateData,
  MessageData,
  PluginEvent,
  PluginEventData,
  PluginEventHandler,
  PluginEventHandlers,
  PluginEventKind,
} from './plugin-events.js';
export type { HandlerContext } from '../modules/webhooks/plugin-events/plugin-listener.js';
export type { CallWebhookPayload } from '../modules/call-completion/call-webhook-payload.js';
export type { CampaignCompletedPayload } from '../modules/campaigns/campaign-completed-payload.js';
export type { LimitReachedPayload } from '../modules/alerts/limit-reached-payload.js';
export type { ModelKeyRefusedPayload } from '../modules/model-keys/model-key-refused.event.js';
export type { CallForwardedPayload } from '../modules/inbound-events/call-forwarded.event.js';
export type { CallIncomingPayload } from '../modules/inbound-events/call-incoming.event.js';
export type { CallQueuedPayload } from '../modules/inbound-events/call-queued.event.js';
export type { RentUnpaidPayload } from '../modules/phone-numbers/carrier-numbers/rent-unpaid.event.js';

// Jobs.
export { defineJob, defineSweep, type JobDefinition, type PayloadOf } from '../queues/job-definition.js';
export { JobsService } from '../queues/jobs.service.js';
export { Handles } from '../queues/workers/handles.js';
export { z } from 'zod';

// Tools of assistants.
export {
  assistantTool,
  type AssistantToolDefinition,
  AssistantToolHandler,
  type ToolOwner,
  type ToolSettings,
} from '../runtime/tools/assistant-tool.js';
export type { RuntimeTool, ToolContext, ToolOrigin, ToolOutcome } from '../runtime/tools/tool.js';
export type { ToolArguments, ToolParameterSpec } from '../runtime/tools/tool-arguments.js';
export { BuiltInToolRequest as AssistantToolForm } from '../modules/assistants/dto/built-in-tool.request.js';

// The world outside, other modules, the log.
export { EgressClient, type EgressRequest, type EgressResponse } from '../common/egress/egress-client.js';
export { EgressError } from '../common/egress/egress-error.js';
export { type AccountInfo, AccountInfoService } from './account-info.service.js';
export {
  type CallDetails,
  type CallInfo,
  type CallInfoFilter,
  CallInfoService,
  type CallTurnInfo,
} from './call-info.service.js';
export {
  type LeadInfo,
  type LeadInfoFilter,
  LeadInfoService,
  type SecondaryContactInfo,
} from './lead-info.service.js';
export {
  type PluginWebhookEvent,
  type PublishedPluginEvent,
  WebhookEventsService,
} from './webhook-events.service.js';
export type { WebhookEventDefinition } from '../modules/webhooks/webhook-events.js';
export { Logger } from '../common/observability/logger.js';

// What Prosa is built with, in the very copies that it uses.
export {
  BadRequestException,
  Body,
  ConflictException,
  Controller,
  Delete,
  ForbiddenException,
  Get,
  GoneException,
  HttpCode,
  HttpException,
  Inject,
  Injectable,
  Module,
  NotFoundException,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
  Param,
  Patch,
  Post,
  Put,
  Query,
  UnprocessableEntityException,
} from '@nestjs/common';
export { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
export { Transform, Type } from 'class-transformer';
export {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsDateString,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
