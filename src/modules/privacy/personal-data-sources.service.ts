import { Injectable } from '@nestjs/common';
import type { PersonalDataSource } from '../../common/personal-data/personal-data-source.js';
import { CallPersonalDataService } from '../calls/personal-data/call-personal-data.service.js';
import { VerificationPersonalDataService } from '../calls/personal-data/verification-personal-data.service.js';
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

/** Every place where data about people is held. */
@Injectable()
export class PersonalDataSourcesService {
  /** Leads come first, so that nobody is called any more while the rest is erased. */
  readonly all: readonly PersonalDataSource[];

  constructor(
    leads: LeadPersonalDataService,
    imports: ImportPersonalDataService,
    attempts: AttemptPersonalDataService,
    calls: CallPersonalDataService,
    verifications: VerificationPersonalDataService,
    conversations: ConversationPersonalDataService,
    simulations: SimulationPersonalDataService,
    deliveries: DeliveryPersonalDataService,
    answers: AnswerPersonalDataService,
    private readonly doNotCall: EntryPersonalDataService,
    private readonly documents: DocumentPersonalDataService,
  ) {
    this.all = [
      leads,
      imports,
      attempts,
      calls,
      verifications,
      conversations,
      simulations,
      deliveries,
      answers,
      doNotCall,
      documents,
    ];
  }

  toErase({ keepDoNotCall, keepDocuments }: Keeps): readonly PersonalDataSource[] {
    return this.all.filter(
      (source) =>
        !(keepDoNotCall && source === this.doNotCall) && !(keepDocuments && source === this.documents),
    );
  }
}
