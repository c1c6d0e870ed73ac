import { Inject, Injectable, type OnModuleInit, Optional, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { PersonalDataSource } from '../../common/personal-data/personal-data-source.js';
import { CallPersonalDataService } from '../calls/personal-data/call-personal-data.service.js';
import { VerificationPersonalDataService } from '../number-verifications/verification-personal-data.service.js';
import { AttemptPersonalDataService } from '../campaigns/personal-data/attempt-personal-data.service.js';
import { ConversationPersonalDataService } from '../conversations/personal-data/conversation-personal-data.service.js';
import { EntryPersonalDataService } from '../do-not-call/personal-data/entry-personal-data.service.js';
import { AnswerPersonalDataService } from '../idempotency/personal-data/answer-personal-data.service.js';
import { DocumentPersonalDataService } from '../knowledgebases/personal-data/document-personal-data.service.js';
import { ImportPersonalDataService } from '../leads/personal-data/import-personal-data.service.js';
import { LeadPersonalDataService } from '../leads/personal-data/lead-personal-data.service.js';
import { SimulationPersonalDataService } from '../simulations/personal-data/simulation-personal-data.service.js';
import { DeliveryPersonalDataService } from '../webhooks/personal-data/delivery-personal-data.service.js';

/** What its owner wants to keep of a person. */
export interface Keeps {
  /** That the person is not to be called. */
  readonly keepDoNotCall: boolean;
  /** Documents of knowledge bases that name the person. */
  readonly keepDocuments: boolean;
}

/** Injection token of the sources of plugins: classes of providers. */
export const ADDED_PERSONAL_DATA = Symbol('personal data of plugins');

/** Leads come first, so that no call to the person begins while the rest is erased. */
const OWN_SOURCES: readonly Type<PersonalDataSource>[] = [
  LeadPersonalDataService,
  ImportPersonalDataService,
  AttemptPersonalDataService,
  CallPersonalDataService,
  VerificationPersonalDataService,
  ConversationPersonalDataService,
  SimulationPersonalDataService,
  DeliveryPersonalDataService,
  AnswerPersonalDataService,
  EntryPersonalDataService,
  DocumentPersonalDataService,
];

/** Every place where data about people is held, those of plugins included. */
@Injectable()
export class PersonalDataSourcesService implements OnModuleInit {
  all: readonly PersonalDataSource[] = [];

  constructor(
    private readonly modules: ModuleRef,
    @Optional()
    @Inject(ADDED_PERSONAL_DATA)
    private readonly added: readonly Type<PersonalDataSource>[] = [],
  ) {}

  /** Plugins are in modules that this one does not import. */
  onModuleInit(): void {
    this.all = [...OWN_SOURCES, ...this.added].map((source) => this.modules.get(source, { strict: false }));
  }

  toErase({ keepDoNotCall, keepDocuments }: Keeps): readonly PersonalDataSource[] {
    return this.all.filter(
      (source) =>
        !(keepDoNotCall && source instanceof EntryPersonalDataService) &&
        !(keepDocuments && source instanceof DocumentPersonalDataService),
    );
  }
}
